import { builder } from '../../../graphql/builder.ts'
import { SignInProviderType } from '../../site/public-site.graphql.ts'
import { endOtherSessions, endSession } from '../sessions/end-session.ts'
import { listOwnSessions, listUserSessions } from '../sessions/list-sessions.ts'
import type { SessionRow } from '../sessions/sessions.db.ts'
import { removeSecondFactor } from '../users/remove-second-factor.ts'
import { beginSecondFactor, type NewSecondFactor } from './begin-second-factor.ts'
import { changePassword } from './change-password.ts'
import { confirmSecondFactor } from './confirm-second-factor.ts'
import { disableSecondFactor } from './disable-second-factor.ts'
import { findOwnSecurity, type OwnSecurity } from './find-own-security.ts'
import { regenerateRecoveryCodes } from './regenerate-recovery-codes.ts'

const Security = builder.objectRef<OwnSecurity>('OwnSecurity').implement({
  fields: (t) => ({
    hasSecondFactor: t.exposeBoolean('hasSecondFactor'),
    /** Whether the user's role requires a second factor, so that it cannot be removed. */
    secondFactorRequired: t.exposeBoolean('secondFactorRequired'),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft'),
  }),
})

const Session = builder.objectRef<SessionRow>('Session').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    /** Accurate to one minute. */
    lastSeenAt: t.expose('last_seen_at', { type: 'DateTime' }),
    ip: t.exposeString('ip', { nullable: true }),
    userAgent: t.exposeString('user_agent', { nullable: true }),
    /** `local` or `oidc`. */
    provider: t.expose('provider', { type: SignInProviderType }),
    current: t.boolean({ resolve: ({ id }, _args, { actor }) => id === actor.sessionId }),
  }),
})

const BegunSecondFactor = builder.objectRef<NewSecondFactor>('BegunSecondFactor').implement({
  fields: (t) => ({
    secret: t.exposeString('secret'),
    uri: t.exposeString('uri'),
    ticket: t.exposeString('enrolmentToken'),
  }),
})

const signedIn = { authScopes: { signedIn: true } }

builder.queryFields((t) => ({
  mySecurity: t.field({ ...signedIn, type: Security, resolve: (_root, _args, ctx) => findOwnSecurity(ctx) }),
  mySessions: t.field({
    ...signedIn,
    type: [Session],
    resolve: (_root, _args, ctx) => listOwnSessions(ctx),
  }),
  userSessions: t.field({
    type: [Session],
    authScopes: { admin: true },
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => listUserSessions(ctx, userId),
  }),
}))

builder.mutationFields((t) => ({
  endSession: t.boolean({
    ...signedIn,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, ctx) => {
      await endSession(ctx, id)
      return true
    },
  }),
  /** Returns the number of sessions ended. */
  endOtherSessions: t.int({ ...signedIn, resolve: (_root, _args, ctx) => endOtherSessions(ctx) }),
  changePassword: t.boolean({
    ...signedIn,
    args: { current: t.arg.string({ required: true }), next: t.arg.string({ required: true }) },
    resolve: async (_root, input, ctx) => {
      await changePassword(ctx, input)
      return true
    },
  }),
  /** `code`: a code of the existing second factor; required only when there is one to replace. */
  beginSecondFactor: t.field({
    ...signedIn,
    type: BegunSecondFactor,
    args: { password: t.arg.string({ required: true }), code: t.arg.string() },
    resolve: (_root, { password, code }, ctx) => beginSecondFactor(ctx, { password, code: code ?? null }),
  }),
  /** Returns the recovery codes, which are shown only once. */
  confirmSecondFactor: t.stringList({
    ...signedIn,
    args: { ticket: t.arg.string({ required: true }), code: t.arg.string({ required: true }) },
    resolve: (_root, { ticket, code }, ctx) => confirmSecondFactor(ctx, { enrolmentToken: ticket, code }),
  }),
  disableSecondFactor: t.boolean({
    ...signedIn,
    args: { password: t.arg.string({ required: true }), code: t.arg.string({ required: true }) },
    resolve: async (_root, input, ctx) => {
      await disableSecondFactor(ctx, input)
      return true
    },
  }),
  /** The password may be left out only for an account that never had codes, right after a sign-in. */
  newRecoveryCodes: t.stringList({
    ...signedIn,
    args: { password: t.arg.string() },
    resolve: (_root, { password }, ctx) => regenerateRecoveryCodes(ctx, password ?? null),
  }),
  removeSecondFactor: t.boolean({
    authScopes: { admin: true },
    args: { userId: t.arg.id({ required: true }) },
    resolve: async (_root, { userId }, ctx) => {
      await removeSecondFactor(ctx, userId)
      return true
    },
  }),
}))
