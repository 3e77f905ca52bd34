import { FEATURE_NAMES, FEATURES, type Feature, featuresInForce } from '../../../shared/access/features.ts'
import { ROLE_NAMES, ROLES, type Role } from '../../../shared/access/roles.ts'
import { getSite } from '../../session/site.ts'

/** What staff may be given, each with what it lets somebody do. The profile of an institution is its own users'. */
export const STAFF_FEATURES: readonly { value: Feature; label: string; help: string }[] = [
  {
    value: 'patient::files',
    label: 'Fișierele pacienților',
    help: 'Vede rezultatele din fișa pacientului și adaugă altele.',
  },
  {
    value: 'admin::review-files',
    label: 'Verificare',
    help: 'Citește încărcările trimise la verificare și le acceptă sau le respinge.',
  },
  {
    value: 'patient::share',
    label: 'Trimite rezultate',
    help: 'Încă nu are efect: linkurile cu rezultate nu există încă.',
  },
  {
    value: 'patient::news',
    label: 'Noutăți',
    help: 'Încă nu are efect: noutățile nu există încă.',
  },
  {
    value: 'admin::remove-files',
    label: 'Șterge fișiere',
    help: 'Scoate fișiere greșite, cu un motiv; pot fi repuse timp de 30 de zile.',
  },
]

/** The institutions that an account stands for. */
export const institutionNames = (institutions: readonly { name: string; isSuspended: boolean }[]): string =>
  institutions.map(({ name, isSuspended }) => (isSuspended ? `${name} (suspendată)` : name)).join(', ')

export const ROLE_OPTIONS: readonly { value: Role; label: string; help: string }[] = [
  {
    value: 'staff',
    label: ROLE_NAMES.staff,
    help: 'Lucrează cu pacienți și încărcări, cu drepturile pe care i le dai.',
  },
  {
    value: 'institution',
    label: ROLE_NAMES.institution,
    help: 'Vede doar rezultatele trimise instituției sale.',
  },
  {
    value: 'admin',
    label: ROLE_NAMES.admin,
    help: 'Poate tot, inclusiv conturi, setări și jurnal.',
  },
]

const isRole = (role: string): role is Role => (ROLES as readonly string[]).includes(role)

export const roleName = (role: string): string => (isRole(role) ? ROLE_NAMES[role] : role)

/** What somebody may do beyond their role, in words: an administrator everything, the others what they have. */
export function describeFeatures(role: string, granted: readonly string[]): string {
  if (!isRole(role)) return ''
  const features = featuresInForce(role, granted, FEATURES)
  if (features.size === FEATURES.length) return 'toate'
  return [...features].map((feature) => FEATURE_NAMES[feature]).join(', ')
}

/** Whether somebody of this role comes in by a password; where a provider says who people are, administrators alone. */
export const usesPassword = (role: string, provider = getSite().login_provider): boolean =>
  provider === 'local' || role === 'admin'

/** Whether somebody who was invited has no way in any more before another invitation is sent. */
export const isInvitationOver = (
  user: { status: string; role: string; invitationExpiresAt: string | null },
  now: Date,
  provider = getSite().login_provider,
): boolean =>
  user.status === 'invited' &&
  usesPassword(user.role, provider) &&
  (user.invitationExpiresAt === null || new Date(user.invitationExpiresAt) <= now)
