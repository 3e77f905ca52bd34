import { describe, expect, it } from 'vitest'
import { describeFeatures, isInvitationOver } from './account-labels.ts'

describe('describeFeatures', () => {
  it('names all features for an administrator, regardless of the granted ones', () => {
    expect(describeFeatures('admin', [])).toBe('toate')
  })

  it('names the features granted to staff, without unknown ones', () => {
    expect(describeFeatures('staff', ['admin::review-files', 'old::one'])).toBe('verificare')
    expect(describeFeatures('staff', [])).toBe('')
  })

  it('names the features that every institution has', () => {
    expect(describeFeatures('institution', [])).toBe('noutăți, fișierele pacienților, profilul instituției')
  })
})

describe('isInvitationOver', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  const invited = { status: 'invited', role: 'staff', invitationExpiresAt: '2026-11-22T10:00:01Z' } as const

  it('is true if the link has expired or is missing', () => {
    expect(isInvitationOver(invited, now, 'local')).toBe(false)
    expect(isInvitationOver({ ...invited, invitationExpiresAt: now.toISOString() }, now, 'local')).toBe(true)
    expect(isInvitationOver({ ...invited, invitationExpiresAt: null }, now, 'local')).toBe(true)
    expect(isInvitationOver({ ...invited, status: 'active', invitationExpiresAt: null }, now, 'local')).toBe(
      false,
    )
  })

  it('is false without a link if a provider signs users in, except for administrators', () => {
    expect(isInvitationOver({ ...invited, invitationExpiresAt: null }, now, 'oidc')).toBe(false)
    expect(isInvitationOver({ ...invited, role: 'admin', invitationExpiresAt: null }, now, 'oidc')).toBe(true)
  })
})
