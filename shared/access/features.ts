import type { Role } from './roles.ts'

/** Feature flags [3.2]. */
export const FEATURES = [
  'patient::share',
  'patient::news',
  'patient::files',
  'admin::remove-files',
  'admin::review-files',
  'profile::institution',
] as const
export type Feature = (typeof FEATURES)[number]

/** Written as in the middle of a sentence. */
export const FEATURE_NAMES: Readonly<Record<Feature, string>> = {
  'patient::share': 'trimite rezultate',
  'patient::news': 'noutăți',
  'patient::files': 'fișierele pacienților',
  'admin::remove-files': 'șterge fișiere',
  'admin::review-files': 'verificare',
  'profile::institution': 'profilul instituției',
}

const INSTITUTION_FEATURES: readonly Feature[] = ['profile::institution', 'patient::files', 'patient::news']

/**
 * Returns the features in force for a user: those that both the site and the user have. An admin has all
 * features of the site, staff those granted, an institution's user the three for institutions.
 */
export function featuresInForce(
  role: Role,
  granted: readonly string[],
  site: readonly string[],
): Set<Feature> {
  const own: readonly string[] =
    role === 'admin' ? FEATURES : role === 'staff' ? granted : INSTITUTION_FEATURES
  return new Set(FEATURES.filter((feature) => site.includes(feature) && own.includes(feature)))
}
