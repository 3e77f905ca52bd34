import { builder } from '../../../graphql/builder.ts'
import { RoleType, User } from './accounts.graphql.ts'
import { cancelInvitation } from './cancel-invitation.ts'
import { type Invitation, inviteUser, resendInvitation } from './invite-user.ts'
import { sendPasswordReset } from './send-password-reset.ts'
import { reactivateUser, suspendUser } from './suspend-user.ts'
import { updateUser } from './update-user.ts'

const UserInput = builder.inputType('UserInput', {
  fields: (t) => ({
    email: t.string({ required: true }),
    name: t.string({ required: true }),
    role: t.field({ type: RoleType, required: true }),
    /** Only for `staff`; the other roles have fixed features. */
    features: t.stringList(),
    /** Required for the role `institution`, with at least one. */
    institutionIds: t.idList(),
    phone: t.string(),
    jobTitle: t.string(),
  }),
})

const InvitationType = builder.objectRef<Invitation>('Invitation').implement({
  fields: (t) => ({
    user: t.field({ type: User, resolve: ({ user }) => user }),
    /** The one-time link, returned only here; null if the user signs in by the OpenID provider. */
    link: t.exposeString('link', { nullable: true }),
    /** Whether the link is sent by mail; otherwise the administrator must pass it on. */
    isMailed: t.exposeBoolean('isMailed'),
  }),
})

const admin = { authScopes: { admin: true } }

builder.mutationFields((t) => ({
  inviteUser: t.field({
    ...admin,
    type: InvitationType,
    args: { invitation: t.arg({ type: UserInput, required: true }) },
    resolve: (_root, { invitation }, ctx) => inviteUser(ctx, invitation),
  }),
  /** Makes the earlier link invalid. */
  resendInvitation: t.field({
    ...admin,
    type: InvitationType,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => resendInvitation(ctx, userId),
  }),
  /** Deletes the unused account, so that its address is free again. */
  cancelInvitation: t.boolean({
    ...admin,
    args: { userId: t.arg.id({ required: true }) },
    resolve: async (_root, { userId }, ctx) => {
      await cancelInvitation(ctx, userId)
      return true
    },
  }),
  updateUser: t.field({
    ...admin,
    type: User,
    args: {
      id: t.arg.id({ required: true }),
      version: t.arg.int({ required: true }),
      user: t.arg({ type: UserInput, required: true }),
    },
    resolve: (_root, args, ctx) => updateUser(ctx, args),
  }),
  /** Ends sessions, sockets, links and file transfers immediately. */
  suspendUser: t.field({
    ...admin,
    type: User,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => suspendUser(ctx, userId),
  }),
  /** The account becomes `active`, or `invited` if it was never used. */
  reactivateUser: t.field({
    ...admin,
    type: User,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => reactivateUser(ctx, userId),
  }),
  /** Only for an active account; for an invited one use `resendInvitation`. */
  sendPasswordReset: t.field({
    ...admin,
    type: User,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => sendPasswordReset(ctx, userId),
  }),
}))
