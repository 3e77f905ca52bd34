import { builder } from '../../../graphql/builder.ts'
import { versionArg } from '../../../graphql/describe.ts'
import { FEATURE_CODES, RoleType, User } from './accounts.graphql.ts'
import { cancelInvitation } from './cancel-invitation.ts'
import { type Invitation, inviteUser, resendInvitation } from './invite-user.ts'
import { sendPasswordReset } from './send-password-reset.ts'
import { reactivateUser, suspendUser } from './suspend-user.ts'
import { updateUser } from './update-user.ts'

const UserInput = builder.inputType('UserInput', {
  description: 'The details of an account, all of which are replaced. A blank text is stored as null.',
  fields: (t) => ({
    email: t.string({ required: true }),
    name: t.string({ required: true }),
    role: t.field({ type: RoleType, required: true }),
    features: t.stringList({
      description: `Of ${FEATURE_CODES}. Only for the role \`staff\`; the other roles have fixed features.`,
    }),
    institutionIds: t.idList({ description: 'Required for the role `institution`, with at least one.' }),
    phone: t.string(),
    jobTitle: t.string(),
  }),
})

const InvitationType = builder.objectRef<Invitation>('Invitation').implement({
  authScopes: { admin: true },
  description: 'An invited account.',
  fields: (t) => ({
    user: t.field({ type: User, resolve: ({ user }) => user }),
    link: t.exposeString('link', {
      description: 'The one-time link, returned only here; null if the user signs in by the OpenID provider.',
      nullable: true,
    }),
    isMailed: t.exposeBoolean('isMailed', {
      description: 'Whether the link is sent by mail; otherwise the administrator must pass it on.',
    }),
  }),
})

const admin = { authScopes: { admin: true } }

builder.mutationFields((t) => ({
  inviteUser: t.field({
    description:
      'Creates an account and invites its user. Fails with CONFLICT if the address has an account.',
    ...admin,
    type: InvitationType,
    args: { invitation: t.arg({ type: UserInput, required: true }) },
    resolve: (_root, { invitation }, ctx) => inviteUser(ctx, invitation),
  }),
  resendInvitation: t.field({
    description: 'Makes a new link for an invited user; the earlier one becomes invalid.',
    ...admin,
    type: InvitationType,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => resendInvitation(ctx, userId),
  }),
  cancelInvitation: t.boolean({
    description: 'Deletes an unused account, so that its address is free again.',
    ...admin,
    args: { userId: t.arg.id({ required: true }) },
    resolve: async (_root, { userId }, ctx) => {
      await cancelInvitation(ctx, userId)
      return true
    },
  }),
  updateUser: t.field({
    description:
      'Changes an account. A new address ends all access of the old one and gets a link to set a password.',
    ...admin,
    type: User,
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      user: t.arg({ type: UserInput, required: true }),
    },
    resolve: (_root, args, ctx) => updateUser(ctx, args),
  }),
  suspendUser: t.field({
    description:
      'Suspends an account: ends sessions, sockets and links immediately, and running file transfers within seconds.',
    ...admin,
    type: User,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => suspendUser(ctx, userId),
  }),
  reactivateUser: t.field({
    description:
      'Ends the suspension of an account, which becomes `active`, or `invited` if it was never used.',
    ...admin,
    type: User,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => reactivateUser(ctx, userId),
  }),
  sendPasswordReset: t.field({
    description: 'Sends an active user a link to set a password; for an invited one use `resendInvitation`.',
    ...admin,
    type: User,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => sendPasswordReset(ctx, userId),
  }),
}))
