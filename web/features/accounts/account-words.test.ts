import { describe, expect, it } from 'vitest'
import { describeFeatures, roleName } from './account-words.ts'

describe('the functions of an account in words', () => {
  it('gives an administrator all of them, whatever is granted', () => {
    expect(describeFeatures('admin', [])).toBe('toate')
  })

  it('names those granted to staff, and no unknown ones', () => {
    expect(describeFeatures('staff', ['admin::review-files', 'old::one'])).toBe('verificare')
    expect(describeFeatures('staff', [])).toBe('')
  })

  it('names those that every institution has', () => {
    expect(describeFeatures('institution', [])).toBe('noutăți, fișierele pacienților, profilul instituției')
  })

  it('shows a role it does not know as it is', () => {
    expect(roleName('admin')).toBe('Administrator')
    expect(roleName('robot')).toBe('robot')
    expect(describeFeatures('robot', ['patient::files'])).toBe('')
  })
})
