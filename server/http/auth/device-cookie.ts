import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import type { KnownDevice } from '../../features/accounts/throttle/attempt-limit.ts'
import { deriveKey } from '../../platform/crypto/keys.ts'
import type { Env } from '../types.ts'
import { DEVICE_COOKIE, serializeCookie } from './auth-cookies.ts'

const ISSUER = 'dosar'
const AUDIENCE = 'device'
/** Accounts remembered for one browser; the account that has not signed in for the longest time goes first. */
const MAX_ACCOUNTS = 20

const claims = z.object({ jti: z.uuid(), accounts: z.array(z.uuid()).max(MAX_ACCOUNTS) })

/**
 * Reads and writes the device cookie, which names the accounts that have signed in on a browser (OWASP device
 * cookies). It proves no identity: it only gives the browser counters of failed sign-ins of its own. `secret`
 * is the product's secret.
 */
export function createDeviceCookies(secret: Buffer) {
  const key = deriveKey(secret, 'device-cookie')
  return {
    /** Returns null when the cookie is missing, forged or expired. */
    read: async (c: Context<Env>, now: Date): Promise<KnownDevice | null> => {
      const cookie = getCookie(c, DEVICE_COOKIE)
      if (!cookie) return null
      try {
        const { payload } = await jwtVerify(cookie, key, {
          algorithms: ['HS256'],
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['exp'],
          currentDate: now,
        })
        const { jti, accounts } = claims.parse(payload)
        return { id: jti, userIds: accounts }
      } catch {
        return null
      }
    },
    /** Returns the Set-Cookie header that adds an account to the browser's, and renews the cookie. */
    write: async (device: KnownDevice | null, userId: string, now: Date): Promise<string> => {
      const others = (device?.userIds ?? []).filter((id) => id !== userId)
      const seconds = Math.floor(now.getTime() / 1000)
      const signed = await new SignJWT({ accounts: [userId, ...others].slice(0, MAX_ACCOUNTS) })
        .setProtectedHeader({ alg: 'HS256' })
        .setJti(device?.id ?? randomUUID())
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setExpirationTime(seconds + LIMITS.deviceSeconds)
        .sign(key)
      return serializeCookie(DEVICE_COOKIE, signed, LIMITS.deviceSeconds)
    },
  }
}
