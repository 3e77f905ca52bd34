import { describe, expect, it } from 'vitest'
import { findToken, tokenCookie } from './token-cookie.ts'

const NOW = 1_800_000_000
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const makeToken = (claims: object) => `${part({ alg: 'EdDSA' })}.${part(claims)}.c2lnbmF0dXJl-_`
const id_token = makeToken({ sub: 'ăîș>?', exp: NOW + 900 })

describe('the token cookie', () => {
  it('expires with its token, and is for TLS and this site only [9.5]', () => {
    expect(tokenCookie({ id_token, expires_at: NOW + 900 }, NOW)).toBe(
      `apollo:default.token=${id_token}; Path=/; Max-Age=900; Secure; SameSite=Strict`,
    )
    expect(tokenCookie({ id_token, expires_at: NOW + 59.9 }, NOW)).toContain('Max-Age=59;')
  })

  it('expires after at most 604,800 seconds [9.5]', () => {
    expect(tokenCookie({ id_token, expires_at: NOW + 9_999_999 }, NOW)).toContain('Max-Age=604800;')
  })

  it.each([
    { id_token, expires_at: NOW },
    { id_token, expires_at: NOW - 1 },
    { id_token, expires_at: null },
    { id_token: null, expires_at: NOW + 900 },
  ])('is not written without a valid token: %o', (record) => {
    expect(tokenCookie(record, NOW)).toBeNull()
  })

  it('is found among other cookies, with the expiry of the token', () => {
    const found = { id_token, expires_at: NOW + 900 }
    expect(findToken(`apollo:default.token=${id_token}`)).toEqual(found)
    expect(findToken(`a=b; apollo:default.token=${id_token}; apollo:public.token=dk_x`)).toEqual(found)
  })

  it.each([
    '',
    'a=b',
    'apollo:default.token=',
    'apollo:default.token=x.y.z',
    'apollo:default.token=%7B%7D',
    `apollo:default.token=${makeToken({ sub: 'x' })}`,
    `apollo:default.token=${makeToken({ exp: 'soon' })}`,
    `apollo:default.tokens=${id_token}`,
    `x-apollo:default.token=${id_token}`,
  ])('is null if it cannot be parsed: %s', (cookies) => {
    expect(findToken(cookies)).toBeNull()
  })
})
