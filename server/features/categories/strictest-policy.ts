import {
  type CategoryPolicy,
  DEFAULT_POLICY,
  mapPolicy,
  POLICY_FIELDS,
} from '../../../shared/uploads/category-policy.ts'

/**
 * Returns a policy that is at least as strict as each of the given ones in every respect: not released
 * earlier, not visible to more people, not with fewer reviews, not deleted sooner. Returns the default policy
 * for an empty list.
 */
export function findStrictest(policies: readonly CategoryPolicy[]): CategoryPolicy {
  if (policies.length === 0) return DEFAULT_POLICY
  return mapPolicy((property) => {
    const { strictness } = POLICY_FIELDS[property]
    return policies.reduce((one, other) => (strictness(other) > strictness(one) ? other : one))[property]
  })
}
