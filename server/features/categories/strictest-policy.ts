import { type CategoryPolicy, DEFAULT_POLICY, RELEASES } from '../../../shared/uploads/categories.ts'

/**
 * Returns a policy that is at least as strict as each of the given ones in every respect: not released
 * earlier, not visible to more people, not with fewer reviews, not deleted sooner. Returns the default policy
 * for an empty list.
 */
export function findStrictest(policies: readonly CategoryPolicy[]): CategoryPolicy {
  return policies.length === 0 ? DEFAULT_POLICY : policies.reduce(stricter)
}

function stricter(one: CategoryPolicy, other: CategoryPolicy): CategoryPolicy {
  const { release, releaseHours } = isReleasedLater(one, other) ? one : other
  const terms = [one.retentionYears, other.retentionYears]
  return {
    reviewRequired: one.reviewRequired || other.reviewRequired,
    reviewers: one.reviewers === 2 ? 2 : other.reviewers,
    release,
    releaseHours,
    visibleToPatients: one.visibleToPatients && other.visibleToPatients,
    retentionYears: terms.includes(null) ? null : Math.max(...terms.map(Number)),
  }
}

/** Whether `one` releases later than `other`; RELEASES is ordered from the earliest to the latest. */
function isReleasedLater(one: CategoryPolicy, other: CategoryPolicy): boolean {
  if (one.release === other.release) return (one.releaseHours ?? 0) > (other.releaseHours ?? 0)
  return RELEASES.indexOf(one.release) > RELEASES.indexOf(other.release)
}
