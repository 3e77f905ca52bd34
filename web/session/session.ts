import type { Feature } from '../../shared/features.ts'
import type { Visitor } from '../../shared/guards.ts'
import type { Role } from '../../shared/roles.ts'

export type SessionUser = { id: string; name: string; email: string; role: Role; features: Feature[] }
/** The session's status [3.1]; nothing is decided while it loads [4.1]. */
export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'authenticated'; user: SessionUser }
  | { status: 'unauthenticated'; user: null }
/** The token record [3.1]: `expires_at` in unix seconds. */
type TokenRecord = { expires_at: number | null; id_token: string | null }

const AUTH = '/api/auth'
/** Seconds before its end at which a token is fetched anew: time for a request to arrive with it. */
const TOKEN_MARGIN = 60

let state: SessionState = { status: 'loading', user: null }
let token: TokenRecord | null = null
let tokenRequest: Promise<string | null> | null = null
const listeners = new Set<() => void>()

function setState(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

export const getSession = (): SessionState => state

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The signed-in person as the guards want them; null where nobody is. */
export const getVisitor = (): Visitor | null =>
  state.user ? { role: state.user.role, features: new Set(state.user.features) } : null

/** Asks the server who is signed in [7.3]. Rejects where the server cannot be reached. */
export async function loadSession(): Promise<SessionState> {
  const response = await fetch(`${AUTH}/session`)
  if (!response.ok) throw new Error(`session: status ${response.status}`)
  const session = (await response.json()) as { user?: SessionUser } | null
  setState(
    session?.user
      ? { status: 'authenticated', user: session.user }
      : { status: 'unauthenticated', user: null },
  )
  return state
}

async function postForm(path: string, fields: Record<string, string>): Promise<{ url: string }> {
  const response = await fetch(`${AUTH}/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, csrfToken: await fetchCsrfToken(), json: 'true' }),
  })
  const { url } = (await response.json()) as { url?: string }
  // Refused before the protocol had a say: the database is away, the request is too large.
  if (!url) throw new Error(`${path}: status ${response.status}`)
  return { url }
}

async function fetchCsrfToken(): Promise<string> {
  const response = await fetch(`${AUTH}/csrf`)
  const { csrfToken } = (await response.json()) as { csrfToken?: string }
  if (!csrfToken) throw new Error('Could not fetch CSRF Token for signing out')
  return csrfToken
}

/** Why somebody did not come in [8.2]: the `error` of the protocol and, where the provider tells one, its reason. */
export type SignInRefusal = { error: string; code: string | null }

/**
 * Signs in through a credentials provider: `local` (email, password), or `link` (token of a one-time link, new password).
 * Answers null where the person is in. Rejects where the server cannot be reached.
 */
export async function signIn(
  provider: 'local' | 'link',
  credentials: Record<string, string>,
): Promise<SignInRefusal | null> {
  const { url } = await postForm(`callback/${provider}`, credentials)
  const { searchParams } = new URL(url, window.location.origin)
  const error = searchParams.get('error')
  if (error) return { error, code: searchParams.get('code') }
  token = null
  await loadSession()
  return null
}

/** Ends the session on the server and here; the caller shows /signout. */
export async function signOut(): Promise<void> {
  try {
    await postForm('signout', { callbackUrl: '/signout' })
  } finally {
    forgetSession()
  }
}

/** Drops what this page knows of the person: the server has already said that the session is over. */
export function forgetSession(): void {
  token = null
  setState({ status: 'unauthenticated', user: null })
}

/** A token that is still good [4.2], fetched anew near its end; null where the session is over. */
export async function getIdToken(): Promise<string | null> {
  const now = Date.now() / 1000
  if (token?.id_token && (token.expires_at ?? 0) > now + TOKEN_MARGIN) return token.id_token
  tokenRequest ??= fetchToken().finally(() => {
    tokenRequest = null
  })
  return tokenRequest
}

async function fetchToken(): Promise<string | null> {
  const response = await fetch('/api/token')
  if (!response.ok) throw new Error(`token: status ${response.status}`)
  token = (await response.json()) as TokenRecord
  return token.id_token
}
