/**
 * An account is invited until its user first signs in, then active; an administrator may suspend and
 * reactivate it.
 */
export const ACCOUNT_STATUSES = ['active', 'invited', 'suspended'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

export const ACCOUNT_STATUS_NAMES: Record<AccountStatus, string> = {
  active: 'Activ',
  invited: 'Invitat',
  suspended: 'Suspendat',
}
