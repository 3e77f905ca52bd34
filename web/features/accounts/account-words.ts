import { FEATURES, type Feature, featuresInForce } from '../../../shared/features.ts'
import { ROLE_NAMES, ROLES, type Role } from '../../../shared/roles.ts'

const FEATURE_NAMES: Record<Feature, string> = {
  'patient::share': 'trimite rezultate',
  'patient::news': 'noutăți',
  'patient::files': 'fișierele pacienților',
  'admin::remove-files': 'șterge fișiere',
  'admin::review-files': 'verificare',
  'profile::institution': 'profilul instituției',
}

const isRole = (role: string): role is Role => (ROLES as readonly string[]).includes(role)

export const roleName = (role: string): string => (isRole(role) ? ROLE_NAMES[role] : role)

/** What somebody may do beyond their role, in words: an administrator everything, the others what they have. */
export function describeFeatures(role: string, granted: readonly string[]): string {
  if (!isRole(role)) return ''
  const features = featuresInForce(role, granted, FEATURES)
  if (features.size === FEATURES.length) return 'toate'
  return [...features].map((feature) => FEATURE_NAMES[feature]).join(', ')
}
