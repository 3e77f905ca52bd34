import { builder } from '../../graphql/builder.ts'
import { User } from './accounts.graphql.ts'
import { inviteUser, resendInvitation } from './invite-user.ts'
import { sendPasswordReset } from './send-password-reset.ts'

const InvitationInput = builder.inputType('InvitationInput', {
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

builder.mutationFields((t) => ({
  inviteUser: t.field({
    type: User,
    authScopes: { admin: true },
    args: { invitation: t.arg({ type: InvitationInput, required: true }) },
    resolve: (_root, { invitation }, ctx) => inviteUser(ctx, invitation),
  }),
  resendInvitation: t.field({
    type: User,
    authScopes: { admin: true },
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => resendInvitation(ctx, userId),
  }),
  /** To an active account; to one that is still invited, `resendInvitation`. */
  sendPasswordReset: t.field({
    type: User,
    authScopes: { admin: true },
    args: { userId: t.arg.id({ required: true }) },
    resolve: (_root, { userId }, ctx) => sendPasswordReset(ctx, userId),
  }),
}))
