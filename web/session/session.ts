import type { Visitor } from '../../shared/access/guards.ts'
import type { SessionEnd } from '../../shared/session-ends.ts'
import { clearTokenCookie } from './clear-token-cookie.ts'
import {
  fetchCsrfToken,
  fetchSessionEnd,
  fetchSessionUser,
  postForm,
  type SessionUser,
} from './session-calls.ts'
import { broadcastSession } from './tabs.ts'

export type { SessionUser } from './session-calls.ts'

/** The session's status [3.1]; nothing is decided while it loads [4.1]. */
export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'authenticated'; user: SessionUser }
  | { status: 'unauthenticated'; user: null }

let state: SessionState = { status: 'loading', user: null }
let end: SessionEnd | null = null
let generation = 0
let loading: Promise<SessionState> | null = null
let ending: Promise<void> | null = null
const listeners = new Set<() => void>()
const renewals = new Set<() => Promise<unknown>>()

function setState(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

export const getSession = (): SessionState => state

/** Why the organisation ended the last session of this page; null where it did not, or gives no reason. */
export const getSessionEnd = (): SessionEnd | null => end

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The signed-in person as the guards want them; null where nobody is. */
export const getVisitor = (): Visitor | null =>
  state.user ? { role: state.user.role, features: new Set(state.user.features) } : null

/** Goes up whenever somebody comes or goes: an answer to what was asked in another era is about somebody else. */
export const getGeneration = (): number => generation

/** Before somebody comes, or as they go: what the token of the last one was good for is over. */
export function invalidateSession(): void {
  generation += 1
  clearTokenCookie()
}

/**
 * Asks the server who is signed in [7.3]; one request serves everybody who asks meanwhile. Rejects, and changes nothing,
 * where the server does not say: that is not the same as signed out.
 */
export function loadSession(): Promise<SessionState> {
  loading ??= readSession().finally(() => {
    loading = null
  })
  return loading
}

async function readSession(): Promise<SessionState> {
  const requested = generation
  const user = await fetchSessionUser()
  if (requested === generation) applySessionUser(user)
  else if (state.status === 'loading') return readSession()
  return state
}

function applySessionUser(user: SessionUser | null): void {
  if (!user) void loseSession()
  else if (state.status !== 'loading' && user.id !== state.user?.id) {
    // Somebody signed in in another tab: nothing on this page is theirs. The page begins anew, as that person's.
    invalidateSession()
    setState({ status: 'loading', user: null })
    location.reload()
  } else if (JSON.stringify(user) !== JSON.stringify(state.user)) {
    setState({ status: 'authenticated', user })
  }
}

/** Drops what this page knows of the person, whose session is over; the routes show /signout. */
export function dropSession(): void {
  if (state.status === 'unauthenticated') return
  invalidateSession()
  setState({ status: 'unauthenticated', user: null })
}

/** Drops the session that the server has ended, and asks why it did. */
export async function loseSession(): Promise<void> {
  const isKnown = state.status === 'authenticated'
  dropSession()
  if (!isKnown) return
  const lost = generation
  const reason = await fetchSessionEnd().catch(() => null)
  if (lost !== generation || reason === null) return
  end = reason
  setState({ status: 'unauthenticated', user: null })
}

/** Has something renewed whenever the session is. */
export const renewWithSession = (renew: () => Promise<unknown>): unknown => renewals.add(renew)

/** Reads the session anew [4.4]. */
export async function refreshSession(): Promise<void> {
  if (state.status === 'loading') return
  await loadSession()
  for (const renew of renewals) await renew()
}

/** What another tab has told. */
export function onSessionMessage(news: 'ended' | 'changed'): void {
  if (news === 'ended') dropSession()
  else {
    // The same person may be in a new session, for which the token of the old one is no good.
    generation += 1
    refreshSession().catch(() => undefined)
  }
}

/** Why somebody did not come in [8.2]: the `error` of the protocol and, where the provider tells one, its reason. */
export type SignInRejection = { error: string; code: string | null }

/**
 * Signs in through a credentials provider: `local` (email, password), `link` (token of a one-time link, new password), or
 * `second-factor` (code), after a refusal with the code that asks for it. Answers null where the person is in. Rejects
 * where the server cannot be reached.
 */
export async function signIn(
  provider: 'local' | 'link' | 'second-factor',
  credentials: Record<string, string>,
): Promise<SignInRejection | null> {
  const { searchParams } = await postSignIn(`callback/${provider}`, credentials)
  const error = searchParams.get('error')
  if (error) return { error, code: searchParams.get('code') }
  end = null
  invalidateSession()
  const user = await fetchSessionUser()
  // The browser has not kept the cookie, which happens where the site is not reached over TLS.
  if (!user) return { error: 'Configuration', code: null }
  setState({ status: 'authenticated', user })
  broadcastSession('changed')
  return null
}

/** Sends a form of the sign-in flow; answers the address that the server names. */
export async function postSignIn(path: string, fields: Record<string, string>): Promise<URL> {
  // Its answer would take away the cookie that this one's sets.
  await ending
  const csrfToken = await fetchCsrfToken()
  if (!csrfToken) throw new Error('no CSRF token')
  return postForm(path, { ...fields, csrfToken })
}

/** No CSRF token for signing out [8.1]. */
class CsrfTokenMissing extends Error {
  readonly status = 400
}

/** Signs out: on the server first, then in every tab. Rejects, and changes nothing, where the server could not be told. */
export async function signOut(): Promise<void> {
  await endOnServer()
  dropSession()
}

async function endOnServer(): Promise<void> {
  const csrfToken = await fetchCsrfToken().catch(() => null)
  if (!csrfToken) throw new CsrfTokenMissing('Could not fetch CSRF Token for signing out')
  const { searchParams } = await postForm('signout', { callbackUrl: '/signout', csrfToken })
  if (searchParams.has('error')) throw new Error(`signout: ${searchParams.get('error')}`)
  broadcastSession('ended')
}

/**
 * Signs out after a 401 [4.3]. It may be about the token alone, so the server is told too: no cookie lives on behind a page
 * that says that the session is over.
 */
export function forgetSession(): void {
  const { user } = state
  const lost = loseSession()
  // The cookie is what the reason is found by, so it goes after that.
  if (user) ending = lost.then(endOnServer).catch(() => undefined)
}
