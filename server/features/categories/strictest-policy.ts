import { type CategoryPolicy, DEFAULT_POLICY, RELEASES } from '../../../shared/uploads/categories.ts'

/**
 * In each respect the most careful of the policies: nothing is seen earlier, by more people, after fewer reviews, or removed
 * sooner than by any of them. Of none: that of a new category.
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

/** The ways of release stand in their order, the earliest first. */
function isReleasedLater(one: CategoryPolicy, other: CategoryPolicy): boolean {
  if (one.release === other.release) return (one.releaseHours ?? 0) > (other.releaseHours ?? 0)
  return RELEASES.indexOf(one.release) > RELEASES.indexOf(other.release)
}
