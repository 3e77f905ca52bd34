import type { Visitor } from '../../shared/access/guards.ts'
import type { SessionEnd } from '../../shared/session-ends.ts'
import {
  fetchCsrfToken,
  fetchSessionEnd,
  fetchSessionUser,
  postForm,
  type SessionUser,
} from './session-calls.ts'
import { signedInTarget } from './sign-in-address.ts'
import { broadcastSession } from './tabs.ts'
import { clearTokenCookie } from './token/clear-token-cookie.ts'

export type { SessionUser } from './session-calls.ts'

/** The session's status [3.1]; guards decide nothing while it is loading [4.1]. */
export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'authenticated'; user: SessionUser }
  | { status: 'unauthenticated'; user: null }

let state: SessionState = { status: 'loading', user: null }
let end: SessionEnd | null = null
let generation = 0
/** The address of the screen that the session ended on. */
let leftPath = ''
let loading: Promise<SessionState> | null = null
let serverSignOut: Promise<void> | null = null
const listeners = new Set<() => void>()
const renewals = new Set<() => Promise<unknown>>()

function setState(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

export const getSession = (): SessionState => state

/**
 * Returns why the organisation ended the last session of this page; null if it did not, or gives no reason.
 */
export const getSessionEnd = (): SessionEnd | null => end

/** Returns the address of the screen on which the last session of this page ended. */
export const getLeftPath = (): string => leftPath

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the signed-in user as the guards need it; null if signed out. */
export const getVisitor = (): Visitor | null =>
  state.user ? { role: state.user.role, features: new Set(state.user.features) } : null

/**
 * Returns a number that grows with every sign-in and sign-out: a response to a request of an earlier
 * generation may be about another user.
 */
export const getGeneration = (): number => generation

/** Called before a sign-in and at a sign-out: starts a new generation and deletes the last user's token. */
export function invalidateSession(): void {
  generation += 1
  clearTokenCookie()
}

/**
 * Requests the signed-in user [7.3]; simultaneous calls share one request. Rejects and changes nothing if the
 * server does not say, since that does not mean signed out.
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
    // Another user signed in in another tab: nothing on this page belongs to that user, so the page is
    // reloaded.
    invalidateSession()
    setState({ status: 'loading', user: null })
    location.reload()
  } else if (JSON.stringify(user) !== JSON.stringify(state.user)) {
    setState({ status: 'authenticated', user })
  }
}

/** Clears the signed-in user after the session has ended; the routes then show /signout. */
export function dropSession(): void {
  if (state.status === 'unauthenticated') return
  invalidateSession()
  setState({ status: 'unauthenticated', user: null })
}

/** Clears the session that the server has ended, and requests the reason. */
export async function loseSession(): Promise<void> {
  const isKnown = state.status === 'authenticated'
  if (isKnown) leftPath = `${location.pathname}${location.search}${location.hash}`
  dropSession()
  if (!isKnown) return
  const lost = generation
  const reason = await fetchSessionEnd().catch(() => null)
  if (lost !== generation || reason === null) return
  end = reason
  setState({ status: 'unauthenticated', user: null })
}

/** Registers a function that is called at every refresh of the session. */
export const renewWithSession = (renew: () => Promise<unknown>): unknown => renewals.add(renew)

/** Refreshes the session and everything registered with `renewWithSession` [4.4]. */
export async function refreshSession(): Promise<void> {
  if (state.status === 'loading') return
  await loadSession()
  for (const renew of renewals) await renew()
}

/** Handles a session message of another tab. */
export function onSessionMessage(message: 'ended' | 'changed'): void {
  if (message === 'ended') dropSession()
  else {
    // The user may have a new session, in which the token of the old session is not valid.
    generation += 1
    refreshSession().catch(() => undefined)
  }
}

/**
 * Why a sign-in was rejected [8.2]: the `error` of the protocol and, if the provider gives it, its reason.
 */
export type SignInRejection = { error: string; code: string | null }

/**
 * Signs in with a credentials provider: `local` (email, password), `link` (token of a one-time link, new
 * password), `passkey`, or `second-factor` (code or passkey), after a rejection whose code requires it. Resolves to null on
 * success. Rejects if the server cannot be reached.
 */
export async function signIn(
  provider: 'local' | 'link' | 'second-factor' | 'passkey',
  credentials: Record<string, string>,
): Promise<SignInRejection | null> {
  const { searchParams } = await postSignIn(`callback/${provider}`, {
    ...credentials,
    callbackUrl: signedInTarget(new URLSearchParams(location.search).get('callbackUrl')),
  })
  const error = searchParams.get('error')
  if (error) return { error, code: searchParams.get('code') }
  end = null
  invalidateSession()
  const user = await fetchSessionUser()
  // The browser has not stored the cookie, which happens if the site is not reached over TLS.
  if (!user) return { error: 'Configuration', code: null }
  setState({ status: 'authenticated', user })
  broadcastSession('changed')
  return null
}

/** Submits a form of the sign-in flow and returns the address that the server names. */
export async function postSignIn(path: string, fields: Record<string, string>): Promise<URL> {
  // The response to the sign-out would delete the cookie that the response to this form sets.
  await serverSignOut
  const csrfToken = await fetchCsrfToken()
  if (!csrfToken) throw new Error('no CSRF token')
  return postForm(path, { ...fields, csrfToken })
}

/** Thrown if there is no CSRF token for signing out [8.1]. */
class CsrfTokenMissing extends Error {
  readonly status = 400
  /** Shown by the error page. */
  readonly statusMessage = this.message
}

/**
 * Signs out on the server, then in every tab. Rejects and changes nothing if the server could not be reached.
 */
export async function signOut(): Promise<void> {
  await signOutOnServer()
  dropSession()
}

async function signOutOnServer(): Promise<void> {
  let cause: unknown
  const csrfToken = await fetchCsrfToken().catch((error: unknown) => {
    cause = error
    return null
  })
  if (!csrfToken) throw new CsrfTokenMissing('Could not fetch CSRF Token for signing out', { cause })
  const { searchParams } = await postForm('signout', { callbackUrl: '/signout', csrfToken })
  if (searchParams.has('error')) throw new Error(`signout: ${searchParams.get('error')}`)
  broadcastSession('ended')
}

/**
 * Signs out after a 401 [4.3]. The 401 may concern the token alone, so the session is also ended on the
 * server: its cookie must not outlive a page that shows the session as ended.
 */
export function forgetSession(): void {
  const { user } = state
  const lost = loseSession()
  // The server finds the reason by the cookie, so the cookie is deleted after that request.
  if (user) serverSignOut = lost.then(signOutOnServer).catch(() => undefined)
}
