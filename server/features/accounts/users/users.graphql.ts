import { builder } from '../../../graphql/builder.ts'
import { User } from './accounts.graphql.ts'
import { cancelInvitation } from './cancel-invitation.ts'
import { type Invitation, inviteUser, resendInvitation } from './invite-user.ts'
import { sendPasswordReset } from './send-password-reset.ts'
import { reactivateUser, suspendUser } from './suspend-user.ts'
import { updateUser } from './update-user.ts'

const UserInput = builder.inputType('UserInput', {
  fields: (t) => ({
    email: t.string({ required: true }),
    name: t.string({ required: true }),
    role: t.string({ required: true }),
    /** Granted to `staff`; the other roles have theirs by what they are. */
    features: t.stringList(),
    /** What a user with the role `institution` stands for: at least one. */
    institutionIds: t.idList(),
    phone: t.string(),
    jobTitle: t.string(),
  }),
})

const InvitationType = builder.objectRef<Invitation>('Invitation').implement({
  fields: (t) => ({
    user: t.field({ type: User, resolve: ({ user }) => user }),
    /** The one-time link, told here alone; null where the person comes in by the OpenID provider. */
    link: t.exposeString('link', { nullable: true }),
    /** A mail takes the link along; where it does not, it is to be passed on. */
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
  /** The earlier link is void. */
  resendInvitation: t.field({
    ...admin,
    type: InvitationType,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => resendInvitation(ctx, userId),
  }),
  /** The account, which nobody has used, goes, and its address is free again. */
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
  /** Ends sessions, sockets, links and files under way at once. */
  suspendUser: t.field({
    ...admin,
    type: User,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => suspendUser(ctx, userId),
  }),
  /** `active` again, or `invited` for who has never come in. */
  reactivateUser: t.field({
    ...admin,
    type: User,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => reactivateUser(ctx, userId),
  }),
  /** To an active account; to one that is still invited, `resendInvitation`. */
  sendPasswordReset: t.field({
    ...admin,
    type: User,
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => sendPasswordReset(ctx, userId),
  }),
}))
