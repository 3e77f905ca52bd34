import { maskEmail } from '../../../../shared/email.ts'
import { passwordMin } from '../../../../shared/password-rules.ts'
import { withAccounts } from '../../../context.ts'
import { builder } from '../../../graphql/builder.ts'
import type { AccountLinkRow } from './account-links.db.ts'
import { findAccountLink } from './find-account-link.ts'

const AccountLink = builder.objectRef<AccountLinkRow>('AccountLink').implement({
  description: 'A one-time link with which a user sets a password.',
  fields: (t) => ({
    purpose: t.exposeString('purpose', {
      description:
        '`first-administrator`, `invitation` or `reset`; no enum, since a name may not contain `-`.',
    }),
    name: t.exposeString('name'),
    emailMasked: t.string({
      description:
        '`a•••@exemplu.ro`: the owner recognises the address, a person who found the link does not.',
      resolve: ({ email }) => maskEmail(email),
    }),
    passwordMin: t.int({
      description: 'Minimum length of the new password, in characters.',
      resolve: ({ has_second_factor }) => passwordMin(has_second_factor),
    }),
    expiresAt: t.expose('expires_at', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  accountLink: t.withAuth({ anyClient: true }).field({
    description: 'A one-time link by its token; null for every link that sets no password, for any reason.',
    type: AccountLink,
    nullable: true,
    skipTypeScopes: true,
    args: { token: t.arg.string({ required: true }) },
    resolve: (_root, { token }, ctx) => findAccountLink(withAccounts(ctx), token),
  }),
}))
