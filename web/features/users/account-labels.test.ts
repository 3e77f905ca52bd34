import { describe, expect, it } from 'vitest'
import { describeFeatures, isInvitationOver, roleName } from './account-labels.ts'

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

describe('an invitation', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  const invited = { status: 'invited', role: 'staff', invitationExpiresAt: '2026-11-22T10:00:01Z' }

  it('is over with its link, or without one', () => {
    expect(isInvitationOver(invited, now, 'local')).toBe(false)
    expect(isInvitationOver({ ...invited, invitationExpiresAt: now.toISOString() }, now, 'local')).toBe(true)
    expect(isInvitationOver({ ...invited, invitationExpiresAt: null }, now, 'local')).toBe(true)
    expect(isInvitationOver({ ...invited, status: 'active', invitationExpiresAt: null }, now, 'local')).toBe(
      false,
    )
  })

  it('needs no link where a provider says who people are, but for administrators', () => {
    expect(isInvitationOver({ ...invited, invitationExpiresAt: null }, now, 'oidc')).toBe(false)
    expect(isInvitationOver({ ...invited, role: 'admin', invitationExpiresAt: null }, now, 'oidc')).toBe(true)
  })
})
