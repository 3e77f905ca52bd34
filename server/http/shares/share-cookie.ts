import type { Context } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import { LIMITS } from '../../../shared/limits.ts'
import type { ShareCookies } from '../../graphql/builder.ts'
import type { Env } from '../types.ts'

const DAY_SECONDS = 24 * 60 * 60

const PREFIX = '__Host-dosar.share.'

/** Each share has a cookie of its own, which no page of another site can send. */
const nameOf = (shareId: string): string => `${PREFIX}${shareId}`

export const readShareCookie = (c: Context<Env>, shareId: string): string | null =>
  getCookie(c, nameOf(shareId)) ?? null

/**
 * Returns the cookies of a request and its response. A cookie is kept longer than the hour of its proof, so that the
 * browser can show why its share is closed; the oldest of too many are deleted, since servers reject large headers.
 */
export const shareCookiesOf = (c: Context<Env>): ShareCookies => ({
  read: (shareId) => readShareCookie(c, shareId),
  write: (shareId, token) => {
    if (token === null) return write(c, nameOf(shareId), null)
    for (const name of findOldest(c, nameOf(shareId))) write(c, name, null)
    write(c, nameOf(shareId), token)
  },
})

/** Returns the cookies of other shares that have to make room for `added`; browsers send the oldest first (RFC 6265, 5.4). */
function findOldest(c: Context<Env>, added: string): string[] {
  const others = Object.keys(getCookie(c)).filter((name) => name.startsWith(PREFIX) && name !== added)
  return others.slice(0, Math.max(0, others.length + 1 - LIMITS.shareCookies))
}

function write(c: Context<Env>, name: string, value: string | null): void {
  const maxAge = value === null ? 0 : LIMITS.shareSessionDays * DAY_SECONDS
  const options = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict', maxAge } as const
  c.header('set-cookie', generateCookie(name, value ?? '', options), { append: true })
}
