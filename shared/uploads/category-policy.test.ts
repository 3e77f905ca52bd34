import { expect, it } from 'vitest'
import { type CategoryPolicy, DEFAULT_POLICY, listPolicyLabels } from './category-policy.ts'

it('describes only what differs from the default policy', () => {
  const policy: CategoryPolicy = {
    reviewRequired: false,
    reviewers: 2,
    release: 'after_hours',
    releaseHours: 24,
    visibleToPatients: false,
    retentionYears: 10,
  }
  expect(listPolicyLabels(DEFAULT_POLICY)).toEqual([])
  expect(listPolicyLabels({ ...DEFAULT_POLICY, release: 'by_hand' })).toEqual(['eliberare manuală'])
  expect(listPolicyLabels(policy)).toEqual([
    'fără verificare',
    'doi verificatori',
    'eliberare după 24 de ore',
    'ascunsă pacienților',
    'păstrată 10 ani',
  ])
})
