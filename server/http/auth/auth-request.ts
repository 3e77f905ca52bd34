import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Env } from '../types.ts'
import { AUTH_COOKIES, CALLBACK_COOKIE } from './auth-cookies.ts'
import { safeRedirectPath } from './safe-redirect-path.ts'

export type Form = Record<string, string>

/** The fields of a form-encoded body; none for any other kind of body, which then lacks the CSRF token. */
export async function readForm(c: Context<Env>): Promise<Form> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return {}
  return Object.fromEntries(new URLSearchParams(await c.req.text()))
}

/** Whether the answer is to name the address to go to, as `{ url }`, rather than lead there. */
export const wantsJson = (c: Context<Env>, form: Form | null): boolean =>
  form?.json === 'true' || Boolean(c.req.header('x-auth-return-redirect'))

/**
 * The request as Auth.js may see it: on our own origin whatever Host says, with our own cookies only (a planted
 * `…session.0` would be joined to ours), addresses to come back to reduced to our own, and the form field `json` as the
 * header that Auth.js knows [7.4][7.5]. `form` null: a GET.
 */
export function rebuildRequest(c: Context<Env>, origin: string, form: Form | null): Request {
  const url = new URL(c.req.path, origin)
  const headers = new Headers()
  const cookies = AUTH_COOKIES.flatMap((name) => {
    const value = getCookie(c, name)
    if (value === undefined || (name === CALLBACK_COOKIE && safeRedirectPath(value, origin) === '/'))
      return []
    return [`${name}=${encodeURIComponent(value)}`]
  })
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  if (wantsJson(c, form)) headers.set('x-auth-return-redirect', '1')

  const requested = form?.callbackUrl ?? c.req.query('callbackUrl')
  const callbackUrl = requested === undefined ? null : safeRedirectPath(requested, origin)
  if (form) {
    // Nothing of the query: Auth.js would hand it on to the provider.
    const body = new URLSearchParams(form)
    if (callbackUrl !== null) body.set('callbackUrl', callbackUrl)
    return new Request(url, { method: 'POST', headers, body })
  }
  // A provider's answer is all of its query; the way back is in our cookie.
  const isProviderAnswer = c.req.param('provider') !== undefined
  for (const [name, value] of Object.entries(c.req.query())) {
    if (name !== 'callbackUrl' && (isProviderAnswer || name === 'error')) url.searchParams.set(name, value)
  }
  if (callbackUrl !== null && !isProviderAnswer) url.searchParams.set('callbackUrl', callbackUrl)
  return new Request(url, { headers })
}
