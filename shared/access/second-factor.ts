import { ROLE_NAMES, ROLES, type Role } from './roles.ts'

/** Who may have to have a second factor: a role, or the reviewers among the staff. */
export const SECOND_FACTOR_GROUPS = [...ROLES, 'reviewer'] as const
export type SecondFactorGroup = (typeof SECOND_FACTOR_GROUPS)[number]

/** What a new organisation begins with. */
export const NEW_SECOND_FACTOR_GROUPS: readonly SecondFactorGroup[] = ['admin', 'reviewer']

export const SECOND_FACTOR_GROUP_NAMES: Readonly<Record<SecondFactorGroup, string>> = {
  ...ROLE_NAMES,
  reviewer: 'Personal cu dreptul de verificare',
}

export const REVIEWER_FEATURE = 'admin::review-files'

/** Whether an account with this role and these features belongs to one of the groups. */
export const isInSecondFactorGroup = (
  { role, features }: { role: Role; features: readonly string[] },
  groups: readonly SecondFactorGroup[],
): boolean =>
  groups.includes(role) ||
  (role === 'staff' && features.includes(REVIEWER_FEATURE) && groups.includes('reviewer'))
