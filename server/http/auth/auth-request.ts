import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Env } from '../types.ts'
import { AUTH_COOKIES, CALLBACK_COOKIE } from './auth-cookies.ts'
import { safeRedirectPath } from './safe-redirect-path.ts'

export type Form = Record<string, string>

/** Returns the fields of a form-encoded body; any other body yields none, and then lacks the CSRF token. */
export async function readForm(c: Context<Env>): Promise<Form> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return {}
  return Object.fromEntries(new URLSearchParams(await c.req.text()))
}

/** Whether the client wants the next address as JSON (`{ url }`) instead of a redirect. */
export const wantsJson = (c: Context<Env>, form: Form | null): boolean =>
  form?.json === 'true' || Boolean(c.req.header('x-auth-return-redirect'))

/**
 * Rebuilds the request for Auth.js: on `origin` instead of the Host header's, with the product's own cookies
 * only (Auth.js would append a planted `…session.0` to the session cookie), and with redirects only to paths
 * of `origin`. The form field `json` becomes the header that Auth.js expects [7.4][7.5]; `form` null means a
 * GET.
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
    // Without the query, which Auth.js would pass on to the provider.
    const body = new URLSearchParams(form)
    if (callbackUrl !== null) body.set('callbackUrl', callbackUrl)
    return new Request(url, { method: 'POST', headers, body })
  }
  // A provider's response needs its whole query; its redirect address is in the callback cookie.
  const isProviderResponse = c.req.param('provider') !== undefined
  for (const [name, value] of Object.entries(c.req.query())) {
    if (name !== 'callbackUrl' && (isProviderResponse || name === 'error')) url.searchParams.set(name, value)
  }
  if (callbackUrl !== null && !isProviderResponse) url.searchParams.set('callbackUrl', callbackUrl)
  return new Request(url, { headers })
}
