import { afterEach, describe, expect, it } from 'vitest'
import { site } from '../../session/site.ts'
import { describeFeatures, isInvitationOver, roleName } from './account-words.ts'

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

  afterEach(() => {
    site.login_provider = 'local'
  })

  it('is over with its link, or without one', () => {
    site.login_provider = 'local'
    expect(isInvitationOver(invited, now)).toBe(false)
    expect(isInvitationOver({ ...invited, invitationExpiresAt: now.toISOString() }, now)).toBe(true)
    expect(isInvitationOver({ ...invited, invitationExpiresAt: null }, now)).toBe(true)
    expect(isInvitationOver({ ...invited, status: 'active', invitationExpiresAt: null }, now)).toBe(false)
  })

  it('needs no link where a provider says who people are, but for administrators', () => {
    site.login_provider = 'oidc'
    expect(isInvitationOver({ ...invited, invitationExpiresAt: null }, now)).toBe(false)
    expect(isInvitationOver({ ...invited, role: 'admin', invitationExpiresAt: null }, now)).toBe(true)
  })
})
