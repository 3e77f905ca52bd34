import { customFetch } from '@auth/core'
import { CredentialsSignin } from '@auth/core/errors'
import type { OIDCConfig, Provider } from '@auth/core/providers'
import Credentials from '@auth/core/providers/credentials'
import type { Account, Profile } from '@auth/core/types'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import type { Admission } from '../features/accounts/admit-user.ts'
import { completeSignIn } from '../features/accounts/complete-sign-in.ts'
import type { OpenedSession } from '../features/accounts/open-session.ts'
import { setPasswordByLink } from '../features/accounts/set-password-by-link.ts'
import { signIn } from '../features/accounts/sign-in.ts'
import { signInByProvider } from '../features/accounts/sign-in-by-provider.ts'

/** A sign-in that Auth.js answers as `error=CredentialsSignin`, with the reason in `code`. */
class SignInRefused extends CredentialsSignin {
  constructor(code: string) {
    super()
    this.code = code
  }
}

/** What the browser brought along. */
export type Brought = { sessionToken: string | null; pendingToken: string | null; network: string | null }

/** What comes of one request, beside what Auth.js answers. */
export type Outcome = {
  opened: OpenedSession | null
  /**
   * The pending sign-in that the browser is to hold from now on: a token, none any more (null), or as before. Of no account
   * once somebody is in.
   */
  pendingToken?: string | null
}

/** Wraps what Auth.js calls, so that a fault in it is told from a refusal. */
export type KeepFault = <A extends unknown[], T>(
  work: (...args: A) => Promise<T>,
) => (...args: A) => Promise<T>

/** The ways of signing in [7.4]: with a password, with a one-time link, and with the second factor after either. */
export function credentialsProviders(
  ctx: Ctx,
  { sessionToken: formerToken, pendingToken, network }: Brought,
  outcome: Outcome,
  keepFault: KeepFault,
) {
  const admit = (admission: Admission): { id: string } => {
    if ('due' in admission) {
      outcome.pendingToken = admission.pendingToken
      throw new SignInRefused(admission.due)
    }
    outcome.opened = admission.session
    return { id: admission.session.actor.id }
  }
  const local = Credentials({
    id: 'local',
    name: 'Dosar',
    credentials: { email: { type: 'email' }, password: { type: 'password' }, code: {} },
    authorize: keepFault(async ({ email, password, code }) => {
      const input = { email: text(email), password: text(password), code: text(code), formerToken, network }
      const admission = await signIn(ctx, input)
      return admission && admit(admission)
    }),
  })
  const link = Credentials({
    id: 'link',
    credentials: { token: {}, password: { type: 'password' } },
    authorize: keepFault(async ({ token, password }) => {
      const input = { token: text(token), password: text(password), formerToken, network }
      const result = await setPasswordByLink(ctx, input)
      if ('refused' in result) throw new SignInRefused(result.refused)
      return admit(result)
    }),
  })
  const secondFactor = Credentials({
    id: 'second-factor',
    credentials: { code: {} },
    authorize: keepFault(async ({ code }) => {
      const result = await completeSignIn(ctx, { pendingToken, code: text(code), formerToken, network })
      if ('session' in result) return admit(result)
      if (result.refused === 'second-factor-expired') outcome.pendingToken = null
      throw new SignInRefused(result.refused)
    }),
  })
  return { local, link, secondFactor }
}

/** Milliseconds for each question to the provider. */
const PATIENCE = 10_000

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
    [customFetch]: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE) }),
  }) satisfies OIDCConfig<Profile & { sub: string }> as Provider

/**
 * Whether somebody whom the provider has just vouched for is in: true, or the address that says what is missing. Of the
 * providers only that of OpenID comes here with a profile.
 */
export async function admitProfile(
  ctx: Ctx,
  { issuer, account, profile }: { issuer: string; account: Account; profile: Profile },
  { sessionToken }: Brought,
  outcome: Outcome,
): Promise<true | string> {
  const identity = {
    // The same provider, with a slash at its end or without.
    issuer: new URL(issuer).href,
    subject: account.providerAccountId,
    email: profile.email_verified === true ? (profile.email ?? null) : null,
  }
  const admission = await signInByProvider(ctx, identity, sessionToken)
  if (!admission) return '/?error=AccessDenied'
  if ('due' in admission) {
    outcome.pendingToken = admission.pendingToken
    return `/?${new URLSearchParams({ error: 'CredentialsSignin', code: admission.due })}`
  }
  outcome.opened = admission.session
  return true
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
