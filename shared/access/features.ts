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

/** In the midst of a sentence. */
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
 * The features in force for a user: the site must have them, and the user too. An admin has all of the site's,
 * staff those granted, an institution user the three that concern it.
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
