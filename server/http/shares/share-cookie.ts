import type { Context } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import { LIMITS } from '../../../shared/limits.ts'
import type { ShareCookies } from '../../graphql/builder.ts'
import type { Env } from '../types.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Each share has a cookie of its own, which no page of another site can send. */
const nameOf = (shareId: string): string => `__Host-dosar.share.${shareId}`

export const readShareCookie = (c: Context<Env>, shareId: string): string | null =>
  getCookie(c, nameOf(shareId)) ?? null

/**
 * Returns the cookies of a request and its response. One is kept longer than the hour that its proof counts, so that the
 * browser is told why its share is closed.
 */
export const shareCookiesOf = (c: Context<Env>): ShareCookies => ({
  read: (shareId) => readShareCookie(c, shareId),
  write: (shareId, token) => {
    const maxAge = token === null ? 0 : LIMITS.shareSessionDays * DAY_SECONDS
    const options = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict', maxAge } as const
    c.header('set-cookie', generateCookie(nameOf(shareId), token ?? '', options), { append: true })
  },
})
