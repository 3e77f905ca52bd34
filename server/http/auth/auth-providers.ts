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
import { signInByProvider } from '../../features/accounts/sign-in/sign-in-by-provider.ts'
import type { SignInStep } from '../../features/accounts/sign-in/start-session-or-second-factor.ts'

/** A sign-in that Auth.js answers as `error=CredentialsSignin`, with the reason in `code`. */
class SignInRejected extends CredentialsSignin {
  constructor(code: string) {
    super()
    this.code = code
  }
}

/** What the browser brought along. */
export type IncomingTokens = {
  sessionToken: string | null
  pendingToken: string | null
  network: string | null
}

/** What comes of one request, beside what Auth.js answers. */
export type SignInResult = {
  opened: OpenedSession | null
  /**
   * The pending sign-in that the browser is to hold from now on: a token, none any more (null), or as before. Of no account
   * once somebody is in.
   */
  pendingToken?: string | null
}

/** Wraps what Auth.js calls, so that a fault in it is told from a refusal. */
export type CaptureFault = <A extends unknown[], T>(
  work: (...args: A) => Promise<T>,
) => (...args: A) => Promise<T>

/** The ways of signing in [7.4]: with a password, with a one-time link, and with the second factor after either. */
export function credentialsProviders(
  ctx: Ctx,
  { sessionToken: previousToken, pendingToken, network }: IncomingTokens,
  signInResult: SignInResult,
  captureFault: CaptureFault,
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
    credentials: { email: { type: 'email' }, password: { type: 'password' }, code: {} },
    authorize: captureFault(async ({ email, password, code }) => {
      const input = {
        email: text(email),
        password: text(password),
        code: text(code),
        formerToken: previousToken,
        network,
      }
      const step = await signIn(ctx, input)
      return step && toAuthUser(step)
    }),
  })
  const link = Credentials({
    id: 'link',
    credentials: { token: {}, password: { type: 'password' } },
    authorize: captureFault(async ({ token, password }) => {
      const input = { token: text(token), password: text(password), formerToken: previousToken, network }
      const result = await setPasswordByLink(ctx, input)
      if ('refused' in result) throw new SignInRejected(result.refused)
      return toAuthUser(result)
    }),
  })
  const secondFactor = Credentials({
    id: 'second-factor',
    credentials: { code: {} },
    authorize: captureFault(async ({ code }) => {
      const result = await completeSignIn(ctx, {
        pendingToken,
        code: text(code),
        formerToken: previousToken,
        network,
      })
      if ('session' in result) return toAuthUser(result)
      if (result.refused === 'second-factor-expired') signInResult.pendingToken = null
      throw new SignInRejected(result.refused)
    }),
  })
  return { local, link, secondFactor }
}

/** Milliseconds for each question to the provider. */
const PROVIDER_TIMEOUT_MS = 10_000

/** People of the configured OpenID provider: authorization code with PKCE, state and nonce. */
export const oidcProvider = ({ issuer, clientId, clientSecret, name }: NonNullable<Config['oidc']>) =>
  ({
    id: 'oidc',
    type: 'oidc',
    name,
    issuer,
    clientId,
    clientSecret,
    checks: ['pkce', 'state', 'nonce'],
    // By the standard the address is told at the userinfo endpoint; in the id_token only by some.
    idToken: false,
    profile: ({ sub }) => ({ id: sub }),
    [customFetch]: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS) }),
  }) satisfies OIDCConfig<Profile & { sub: string }> as Provider

/**
 * Whether somebody whom the provider has just vouched for is in: true, or the address that says what is missing. Of the
 * providers only that of OpenID comes here with a profile.
 */
export async function signInWithProfile(
  ctx: Ctx,
  { issuer, account, profile }: { issuer: string; account: Account; profile: Profile },
  { sessionToken }: IncomingTokens,
  signInResult: SignInResult,
): Promise<true | string> {
  const identity = {
    // The same provider, with a slash at its end or without.
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

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
