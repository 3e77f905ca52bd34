import type { Feature } from '../../shared/access/features.ts'
import type { Role } from '../../shared/access/roles.ts'
import type { SessionEnd } from '../../shared/session-ends.ts'
import type { TokenAudience } from '../../shared/token-audiences.ts'
import type { InboxFilters } from '../../shared/uploads/inbox.ts'
import { takeEarlyResponse } from '../loading/early-responses.ts'
import { connectedFetch } from './connection.ts'
import { readServerClock } from './server-clock.ts'

export type SessionUser = {
  id: string
  name: string
  email: string
  role: Role
  features: Feature[]
  /** The ids of the institutions that the user represents now. */
  institutions: string[]
  /** With which the next visit to the inbox begins; only for users of institutions. */
  inboxFilters?: InboxFilters
}
/** The token record [3.1]: `expires_at` in unix seconds. */
export type TokenRecord = { expires_at: number | null; id_token: string | null }

const AUTH_PATH = '/api/auth'

/** Returns the JSON of a response; null for 401, which in these calls means signed out. */
async function requestJson<T>(path: string): Promise<T | null> {
  const response = await takeEarlyResponse(path, () => connectedFetch(path))
  readServerClock(response)
  if (response.status === 401) return null
  if (!response.ok) throw failureOf(path, response)
  return (await response.json()) as T | null
}

/**
 * Returns an error with the status (at least 500) and the server's id of the request: the error page shows
 * both.
 */
const failureOf = (path: string, { status, headers }: Response): Error =>
  Object.assign(new Error(`${path}: status ${status}`), {
    status: Math.max(status, 500),
    requestId: headers.get('x-request-id'),
  })

/** Returns the signed-in user [7.3]; null if signed out. Rejects if the server does not say. */
export async function fetchSessionUser(): Promise<SessionUser | null> {
  const query = new URLSearchParams({ callbackUrl: location.pathname })
  return (await requestJson<{ user?: SessionUser }>(`${AUTH_PATH}/session?${query}`))?.user ?? null
}

/**
 * Returns why the organisation ended the session of this browser's cookie; null if it did not, or gives no
 * reason.
 */
export const fetchSessionEnd = async (): Promise<SessionEnd | null> =>
  (await requestJson<{ reason: SessionEnd | null }>(`${AUTH_PATH}/end`))?.reason ?? null

/**
 * Returns the signed-in user's token for GraphQL [7.6], or for another audience; both properties are null if signed out. Rejects if the
 * server does not say.
 */
export const fetchToken = async (audience?: TokenAudience): Promise<TokenRecord> =>
  (await requestJson<TokenRecord>(`/api/token${audience ? `?audience=${audience}` : ''}`)) ?? {
    expires_at: null,
    id_token: null,
  }

/** Returns the CSRF token that every form of the protocol needs [7.2]; null if the server gives none. */
export const fetchCsrfToken = async (): Promise<string | null> =>
  (await requestJson<{ csrfToken?: string }>(`${AUTH_PATH}/csrf`))?.csrfToken ?? null

/**
 * Submits a form of the protocol [7.4][7.5] and returns the address that the server names. Rejects if the
 * server cannot be reached, or rejects the request before the protocol applies: the database is down, the
 * body too large.
 */
export async function postForm(path: string, fields: Record<string, string>): Promise<URL> {
  const body = new URLSearchParams({ ...fields, json: 'true' })
  const response = await connectedFetch(`${AUTH_PATH}/${path}`, { method: 'POST', body })
  const { url } = (await response.json()) as { url?: string }
  if (!url) throw new Error(`${path}: status ${response.status}`)
  return new URL(url, location.origin)
}
