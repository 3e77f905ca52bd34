import type { AccountStatus } from '../../../shared/access/account-statuses.ts'
import { FEATURE_NAMES, FEATURES, type Feature, featuresInForce } from '../../../shared/access/features.ts'
import { ROLE_NAMES, type Role } from '../../../shared/access/roles.ts'
import { getSite } from '../../session/site.ts'

/**
 * The features that can be granted to staff, with what each allows. An institution's profile is edited only
 * by its own users.
 */
export const STAFF_FEATURES: readonly { value: Feature; label: string; help: string }[] = [
  {
    value: 'patient::files',
    label: 'Fișierele pacienților',
    help: 'Vede și caută rezultatele pacienților și adaugă altele. Fără acest drept, doar verificarea le arată.',
  },
  {
    value: 'admin::review-files',
    label: 'Verificare',
    help: 'Citește încărcările trimise la verificare și le acceptă sau le respinge.',
  },
  {
    value: 'patient::share',
    label: 'Trimite rezultate',
    help: 'Trimite rezultate eliberate pacienților, medicilor și altora, printr-un link. Cere și dreptul la fișiere.',
  },
  {
    value: 'patient::news',
    label: 'Noutăți',
    help: 'Citește și scrie note, noutăți și avertizări despre pacienți; alege cine le mai citește.',
  },
  {
    value: 'admin::remove-files',
    label: 'Șterge fișiere',
    help: 'Scoate fișiere greșite, cu un motiv; pot fi repuse timp de 30 de zile.',
  },
]

/** Returns the names of an account's institutions. */
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

/** Returns the names of the features that a user has, separated by commas; „toate” if the user has all. */
export function describeFeatures(role: Role, granted: readonly string[]): string {
  const features = featuresInForce(role, granted, FEATURES)
  if (features.size === FEATURES.length) return 'toate'
  return [...features].map((feature) => FEATURE_NAMES[feature]).join(', ')
}

/** Whether users of this role sign in with a password; with an external provider only administrators do. */
export const usesPassword = (role: Role, provider = getSite().login_provider): boolean =>
  provider === 'local' || role === 'admin'

/** Whether an invited user cannot sign in before a new invitation is sent. */
export const isInvitationOver = (
  user: { status: AccountStatus; role: Role; invitationExpiresAt: string | null },
  now: Date,
  provider = getSite().login_provider,
): boolean =>
  user.status === 'invited' &&
  usesPassword(user.role, provider) &&
  (user.invitationExpiresAt === null || new Date(user.invitationExpiresAt) <= now)
