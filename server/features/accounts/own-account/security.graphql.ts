import { withAccounts } from '../../../context.ts'
import { builder } from '../../../graphql/builder.ts'
import { SignInProviderType } from '../../site/public-site.graphql.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeyProof,
  listOwnPasskeys,
  removePasskey,
  renamePasskey,
} from '../passkeys/own-passkeys.ts'
import type { PasskeyRow } from '../passkeys/passkeys.db.ts'
import { endOtherSessions, endSession } from '../sessions/end-session.ts'
import { listOwnSessions, listUserSessions } from '../sessions/list-sessions.ts'
import type { SessionRow } from '../sessions/sessions.db.ts'
import { removeSecondFactor } from '../users/remove-second-factor.ts'
import { beginSecondFactor, type NewSecondFactor } from './begin-second-factor.ts'
import { changePassword } from './change-password.ts'
import { confirmSecondFactor } from './confirm-second-factor.ts'
import { disableSecondFactor } from './disable-second-factor.ts'
import { findOwnSecurity, type OwnSecurity } from './find-own-security.ts'
import { proveIdentity } from './prove-identity.ts'
import { regenerateRecoveryCodes } from './regenerate-recovery-codes.ts'

const Passkey = builder.objectRef<PasskeyRow>('Passkey').implement({
  description: 'A passkey of the reader, which signs in without a password or serves as the second factor.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    synced: t.exposeBoolean('synced', { description: "Whether it is copied to the user's other devices." }),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    lastUsedAt: t.expose('last_used_at', {
      description: 'Null before its first use.',
      type: 'DateTime',
      nullable: true,
    }),
  }),
})

const AddedPasskey = builder.objectRef<{ recoveryCodes: string[] }>('AddedPasskey').implement({
  description: 'The result of adding a passkey.',
  fields: (t) => ({
    recoveryCodes: t.exposeStringList('recoveryCodes', {
      description: 'Shown only once; empty for an account that had some.',
    }),
  }),
})

const Security = builder.objectRef<OwnSecurity>('OwnSecurity').implement({
  description: "The second factor of the reader's own account.",
  fields: (t) => ({
    hasPassword: t.exposeBoolean('hasPassword', {
      description: 'False for an account that only ever signed in by the OpenID provider.',
    }),
    hasSecondFactor: t.exposeBoolean('hasSecondFactor', {
      description: 'An authenticator application or a passkey.',
    }),
    hasAuthenticator: t.exposeBoolean('hasAuthenticator', { description: 'An authenticator application.' }),
    passkeys: t.field({
      type: [Passkey],
      resolve: (_security, _args, ctx) => listOwnPasskeys(withAccounts(ctx)),
    }),
    secondFactorRequired: t.exposeBoolean('secondFactorRequired', {
      description: "Whether the user's role requires a second factor, so that it cannot be removed.",
    }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft', { description: 'Recovery codes not used yet.' }),
  }),
})

const Session = builder.objectRef<SessionRow>('Session').implement({
  description: 'A sign-in that has not ended.',
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('created_at', { type: 'DateTime' }),
    lastSeenAt: t.expose('last_seen_at', { description: 'Accurate to one minute.', type: 'DateTime' }),
    ip: t.exposeString('ip', { description: 'The address that signed in; null if unknown.', nullable: true }),
    userAgent: t.exposeString('user_agent', {
      description: 'The browser, as it names itself; null if unknown.',
      nullable: true,
    }),
    provider: t.expose('provider', { type: SignInProviderType }),
    current: t.boolean({
      description: 'Whether it is the session of this request.',
      resolve: ({ id }, _args, { actor }) => id === actor.sessionId,
    }),
  }),
})

const BegunSecondFactor = builder.objectRef<NewSecondFactor>('BegunSecondFactor').implement({
  description: 'A second factor that is not in force before `confirmSecondFactor`.',
  fields: (t) => ({
    secret: t.exposeString('secret', { description: 'For typing into an authenticator application.' }),
    uri: t.exposeString('uri', { description: 'For the QR code: `otpauth://…`.' }),
    ticket: t.exposeString('enrolmentToken', {
      description: 'For `confirmSecondFactor`; nothing is stored before.',
    }),
  }),
})

const signedIn = { authScopes: { signedIn: true } }

builder.queryFields((t) => ({
  mySecurity: t.field({
    description: "The second factor of the reader's own account.",
    ...signedIn,
    type: Security,
    resolve: (_root, _args, ctx) => findOwnSecurity(withAccounts(ctx)),
  }),
  mySessions: t.field({
    description: "The reader's own sessions.",
    ...signedIn,
    type: [Session],
    resolve: (_root, _args, ctx) => listOwnSessions(withAccounts(ctx)),
  }),
  userSessions: t.field({
    description: 'The sessions of a user.',
    type: [Session],
    authScopes: { admin: true },
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => listUserSessions(ctx, userId),
  }),
}))

builder.mutationFields((t) => ({
  endSession: t.boolean({
    description: 'Ends a session and its sockets: an own one, or any for an administrator.',
    ...signedIn,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, ctx) => {
      await endSession(withAccounts(ctx), id)
      return true
    },
  }),
  endOtherSessions: t.int({
    description: 'Ends all own sessions but that of this request; returns their number.',
    ...signedIn,
    resolve: (_root, _args, ctx) => endOtherSessions(withAccounts(ctx)),
  }),
  proveIdentity: t.boolean({
    description:
      'Proves that the user of this session is the owner of the account, as acts that fail with FRESH_PROOF_REQUIRED need it; counts for five minutes.',
    ...signedIn,
    args: {
      password: t.arg.string({ description: 'Wrong passwords are counted as at sign-in.' }),
      code: t.arg.string({
        description: 'Of the second factor; required beside the password for an account that has one.',
      }),
      passkey: t.arg({
        type: 'JSON',
        description: "The browser's response to `beginPasskeyProof`, instead of password and code.",
      }),
    },
    resolve: async (_root, { password, code, passkey }, ctx) => {
      await proveIdentity(withAccounts(ctx), {
        password: password ?? '',
        code: code ?? null,
        passkey: passkey ?? null,
      })
      return true
    },
  }),
  beginPasskeyProof: t.field({
    description: 'Returns the options for `navigator.credentials.get` to prove the identity with a passkey.',
    ...signedIn,
    type: 'JSON',
    resolve: (_root, _args, ctx) => beginPasskeyProof(withAccounts(ctx)),
  }),
  beginPasskey: t.field({
    description: 'Returns the options for `navigator.credentials.create`; needs a fresh proof.',
    ...signedIn,
    type: 'JSON',
    resolve: (_root, _args, ctx) => beginPasskey(withAccounts(ctx)),
  }),
  addPasskey: t.field({
    description:
      "Adds a passkey to the own account; needs a fresh proof. The first second factor ends the user's other sessions.",
    ...signedIn,
    type: AddedPasskey,
    args: {
      name: t.arg.string({ required: true }),
      response: t.arg({
        type: 'JSON',
        required: true,
        description: "The browser's response to `beginPasskey`.",
      }),
    },
    resolve: (_root, { name, response }, ctx) => addPasskey(withAccounts(ctx), { name, response }),
  }),
  renamePasskey: t.boolean({
    description: 'Renames a passkey of the own account.',
    ...signedIn,
    args: { id: t.arg.id({ required: true }), name: t.arg.string({ required: true }) },
    resolve: async (_root, input, ctx) => {
      await renamePasskey(withAccounts(ctx), input)
      return true
    },
  }),
  removePasskey: t.boolean({
    description: 'Removes a passkey of the own account; needs a fresh proof.',
    ...signedIn,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, ctx) => {
      await removePasskey(withAccounts(ctx), id)
      return true
    },
  }),
  changePassword: t.boolean({
    description: "Changes the own password and ends the user's other sessions.",
    ...signedIn,
    args: {
      current: t.arg.string({ description: 'Wrong passwords are counted as at sign-in.', required: true }),
      next: t.arg.string({ required: true }),
    },
    resolve: async (_root, input, ctx) => {
      await changePassword(withAccounts(ctx), input)
      return true
    },
  }),
  beginSecondFactor: t.field({
    description: 'Begins to set up a second factor.',
    ...signedIn,
    type: BegunSecondFactor,
    args: {
      password: t.arg.string({ required: true }),
      code: t.arg.string({
        description: 'A code of the existing second factor; required only when there is one to replace.',
      }),
    },
    resolve: (_root, { password, code }, ctx) =>
      beginSecondFactor(withAccounts(ctx), { password, code: code ?? null }),
  }),
  confirmSecondFactor: t.stringList({
    description:
      "Enables a second factor, ends the user's other sessions and returns the recovery codes, which are shown only once.",
    ...signedIn,
    args: {
      ticket: t.arg.string({ description: 'Of `beginSecondFactor`.', required: true }),
      code: t.arg.string({ description: 'The first code of the authenticator application.', required: true }),
    },
    resolve: (_root, { ticket, code }, ctx) =>
      confirmSecondFactor(withAccounts(ctx), { enrolmentToken: ticket, code }),
  }),
  disableSecondFactor: t.boolean({
    description: 'Removes the own second factor.',
    ...signedIn,
    args: {
      password: t.arg.string({ required: true }),
      code: t.arg.string({
        description: 'A code of the authenticator application or a recovery code.',
        required: true,
      }),
    },
    resolve: async (_root, input, ctx) => {
      await disableSecondFactor(withAccounts(ctx), input)
      return true
    },
  }),
  newRecoveryCodes: t.stringList({
    description: 'Replaces the own recovery codes and returns the new ones, which are shown only once.',
    ...signedIn,
    resolve: (_root, _args, ctx) => regenerateRecoveryCodes(withAccounts(ctx)),
  }),
  removeSecondFactor: t.boolean({
    description:
      "Removes the second factor of another user who has lost it, passkeys included, and ends that user's sessions.",
    authScopes: { admin: true },
    args: { userId: t.arg.id({ required: true }) },
    resolve: async (_root, { userId }, ctx) => {
      await removeSecondFactor(ctx, userId)
      return true
    },
  }),
}))
