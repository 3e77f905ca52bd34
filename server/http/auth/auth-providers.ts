import { customFetch } from '@auth/core'
import { CredentialsSignin } from '@auth/core/errors'
import type { OIDCConfig, Provider } from '@auth/core/providers'
import Credentials from '@auth/core/providers/credentials'
import type { Account, Profile } from '@auth/core/types'
import type { Config } from '../../config.ts'
import type { Ctx } from '../../context.ts'
import type { OpenedSession } from '../../features/accounts/sessions/open-session.ts'
import { completeSignIn } from '../../features/accounts/sign-in/complete-sign-in.ts'
import { setPasswordByLink } from '../../features/accounts/sign-in/set-password-by-link.ts'
import { signIn } from '../../features/accounts/sign-in/sign-in.ts'
import { signInByPasskey } from '../../features/accounts/sign-in/sign-in-by-passkey.ts'
import { signInByProvider } from '../../features/accounts/sign-in/sign-in-by-provider.ts'
import type { SignInStep } from '../../features/accounts/sign-in/start-session-or-second-factor.ts'
import type { AttemptSource } from '../../features/accounts/throttle/attempt-limit.ts'

/** A rejected sign-in; Auth.js responds with `error=CredentialsSignin` and the reason in `code`. */
class SignInRejected extends CredentialsSignin {
  constructor(code: string) {
    super()
    this.code = code
  }
}

/**
 * What the request brings: the session token, the token of a pending sign-in (null when missing), the
 * browser's and the client's network, and the browser if that is known.
 */
export type IncomingTokens = {
  sessionToken: string | null
  pendingToken: string | null
  /** The CSRF cookie; empty when missing. */
  browser: string
} & AttemptSource

/** The result of one request, beside the response of Auth.js. */
export type SignInResult = {
  opened: OpenedSession | null
  /**
   * The pending sign-in's token that the browser must store; null deletes the stored token, undefined keeps
   * it. Ignored when a session was opened.
   */
  pendingToken?: string | null
}

/**
 * Wraps a function that Auth.js calls, so that an unexpected error can be distinguished from a rejected
 * sign-in.
 */
export type CaptureError = <A extends unknown[], T>(
  work: (...args: A) => Promise<T>,
) => (...args: A) => Promise<T>

/**
 * Returns the sign-in methods [7.4]: with a password, with a one-time link, with the second factor after
 * either, and with a passkey alone.
 */
export function credentialsProviders(
  ctx: Ctx,
  { sessionToken: previousToken, pendingToken, browser, network, device }: IncomingTokens,
  signInResult: SignInResult,
  captureError: CaptureError,
) {
  const toAuthUser = (step: SignInStep): { id: string } => {
    if ('due' in step) {
      signInResult.pendingToken = step.pendingToken
      throw new SignInRejected(step.due)
    }
    signInResult.opened = step.session
    return { id: step.session.actor.id }
  }
  const local = Credentials({
    id: 'local',
    name: 'Dosar',
    credentials: { email: { type: 'email' }, password: { type: 'password' }, code: {}, shared: {} },
    authorize: captureError(async ({ email, password, code, shared }) => {
      const input = {
        email: text(email),
        password: text(password),
        code: text(code),
        shared: shared === 'true',
        formerToken: previousToken,
        network,
        device,
      }
      const step = await signIn(ctx, input)
      return step && toAuthUser(step)
    }),
  })
  const link = Credentials({
    id: 'link',
    credentials: { token: {}, password: { type: 'password' } },
    authorize: captureError(async ({ token, password }) => {
      const input = {
        token: text(token),
        password: text(password),
        formerToken: previousToken,
        network,
        device,
      }
      const result = await setPasswordByLink(ctx, input)
      if ('rejection' in result) throw new SignInRejected(result.rejection)
      return toAuthUser(result)
    }),
  })
  const secondFactor = Credentials({
    id: 'second-factor',
    credentials: { code: {}, passkey: {} },
    authorize: captureError(async ({ code, passkey }) => {
      const result = await completeSignIn(ctx, {
        pendingToken,
        code: text(code),
        passkey: parseJson(text(passkey)),
        formerToken: previousToken,
        network,
        device,
      })
      if ('session' in result) return toAuthUser(result)
      if (result.rejection === 'second-factor-expired') signInResult.pendingToken = null
      throw new SignInRejected(result.rejection)
    }),
  })
  const passkey = Credentials({
    id: 'passkey',
    credentials: { passkey: {}, shared: {} },
    authorize: captureError(async ({ passkey, shared }) => {
      const input = {
        passkey: parseJson(text(passkey)),
        browser,
        shared: shared === 'true',
        formerToken: previousToken,
        network,
      }
      const session = await signInByPasskey(ctx, input)
      return session && toAuthUser({ session })
    }),
  })
  return { local, link, secondFactor, passkey }
}

/** Limit for each request to the provider. */
const PROVIDER_TIMEOUT_MS = 10_000

/** Signs in users of the configured OpenID provider: authorization code with PKCE, state and nonce. */
export const oidcProvider = ({ issuer, clientId, clientSecret, name }: NonNullable<Config['oidc']>) =>
  ({
    id: 'oidc',
    type: 'oidc',
    name,
    issuer,
    clientId,
    clientSecret,
    checks: ['pkce', 'state', 'nonce'],
    // The standard gives the email address at the userinfo endpoint; only some providers put it into the
    // id_token.
    idToken: false,
    profile: ({ sub }) => ({ id: sub }),
    [customFetch]: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS) }),
  }) satisfies OIDCConfig<Profile & { sub: string }> as Provider

/**
 * Signs in a user after the authentication by the OpenID provider. Returns true, or the path of the page that
 * shows why there is no session yet: no access, or a second factor that is due.
 */
export async function signInWithProfile(
  ctx: Ctx,
  { issuer, account, profile }: { issuer: string; account: Account; profile: Profile },
  { sessionToken }: IncomingTokens,
  signInResult: SignInResult,
): Promise<true | string> {
  const identity = {
    // Normalised, since an issuer may be configured with or without a slash at the end.
    issuer: new URL(issuer).href,
    subject: account.providerAccountId,
    email: profile.email_verified === true ? (profile.email ?? null) : null,
  }
  const step = await signInByProvider(ctx, identity, sessionToken)
  if (!step) return '/?error=AccessDenied'
  if ('due' in step) {
    signInResult.pendingToken = step.pendingToken
    return `/?${new URLSearchParams({ error: 'CredentialsSignin', code: step.due })}`
  }
  signInResult.opened = step.session
  return true
}

/** Returns null for a text that is not JSON. */
function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
