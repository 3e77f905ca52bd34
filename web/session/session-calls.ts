import type { Feature } from '../../shared/access/features.ts'
import type { Role } from '../../shared/access/roles.ts'
import type { SessionEnd } from '../../shared/session-ends.ts'
import { connectedFetch } from './connection.ts'
import { readServerClock } from './server-clock.ts'

export type SessionUser = {
  id: string
  name: string
  email: string
  role: Role
  features: Feature[]
  /** The ids of the institutions that they stand for now. */
  institutions: string[]
}
/** The token record [3.1]: `expires_at` in unix seconds. */
export type TokenRecord = { expires_at: number | null; id_token: string | null }

const AUTH = '/api/auth'

/** The JSON of an answer; null for 401, which in these calls means that nobody is signed in. */
async function requestJson<T>(path: string): Promise<T | null> {
  const response = await connectedFetch(path)
  readServerClock(response)
  if (response.status === 401) return null
  if (!response.ok) throw failureOf(path, response)
  return (await response.json()) as T | null
}

/** Carries the status (500 where it is no server's) and the server's id of the request: the error page shows both. */
const failureOf = (path: string, { status, headers }: Response): Error =>
  Object.assign(new Error(`${path}: status ${status}`), {
    status: Math.max(status, 500),
    requestId: headers.get('x-request-id'),
  })

/** Who is signed in [7.3]; null: nobody. Rejects where the server does not say. */
export async function fetchSessionUser(): Promise<SessionUser | null> {
  const query = new URLSearchParams({ callbackUrl: location.pathname })
  return (await requestJson<{ user?: SessionUser }>(`${AUTH}/session?${query}`))?.user ?? null
}

/** Why the organisation ended the session of this browser's cookie; null where it did not, or gives no reason. */
export const fetchSessionEnd = async (): Promise<SessionEnd | null> =>
  (await requestJson<{ reason: SessionEnd | null }>(`${AUTH}/end`))?.reason ?? null

/** The token of who is signed in [7.6]; both of its parts null: nobody is. Rejects where the server does not say. */
export const fetchToken = async (): Promise<TokenRecord> =>
  (await requestJson<TokenRecord>('/api/token')) ?? { expires_at: null, id_token: null }

/** The token that every form of the protocol carries [7.2]; null where the server gives none. */
export const fetchCsrfToken = async (): Promise<string | null> =>
  (await requestJson<{ csrfToken?: string }>(`${AUTH}/csrf`))?.csrfToken ?? null

/**
 * Sends a form of the protocol [7.4][7.5]; answers the address that the server names. Rejects where the server cannot be
 * reached, or refused before the protocol had a say: the database is away, the request is too large.
 */
export async function postForm(path: string, fields: Record<string, string>): Promise<URL> {
  const body = new URLSearchParams({ ...fields, json: 'true' })
  const response = await connectedFetch(`${AUTH}/${path}`, { method: 'POST', body })
  const { url } = (await response.json()) as { url?: string }
  if (!url) throw new Error(`${path}: status ${response.status}`)
  return new URL(url, location.origin)
}
