/** An account is invited until its owner has come in, then active; an administrator suspends it and lets it in again. */
export const ACCOUNT_STATUSES = ['active', 'invited', 'suspended'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

export const ACCOUNT_STATUS_NAMES: Record<AccountStatus, string> = {
  active: 'Activ',
  invited: 'Invitat',
  suspended: 'Suspendat',
}
