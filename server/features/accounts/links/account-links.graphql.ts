import { passwordMin } from '../../../../shared/password-rules.ts'
import { builder } from '../../../graphql/builder.ts'
import type { AccountLinkRow } from './account-links.db.ts'
import { findAccountLink } from './find-account-link.ts'

/** `ana@exemplu.ro` as `a•••@exemplu.ro`: the owner knows it, a finder does not. */
const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/su, '$1•••')

const AccountLink = builder.objectRef<AccountLinkRow>('AccountLink').implement({
  fields: (t) => ({
    purpose: t.exposeString('purpose'),
    name: t.exposeString('name'),
    emailMasked: t.string({ resolve: ({ email }) => maskEmail(email) }),
    /** Characters that the new password needs. */
    passwordMin: t.int({ resolve: ({ has_second_factor }) => passwordMin(has_second_factor) }),
    expiresAt: t.expose('expires_at', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  /**
   * Whose one-time link this is; null alike for one that never was, was used, has expired or gave way to a newer one.
   * The token has 256 random bits and is found by its hash: no number of guesses comes near, and none is faster.
   */
  accountLink: t.withAuth({ anyClient: true }).field({
    type: AccountLink,
    nullable: true,
    skipTypeScopes: true,
    args: { token: t.arg.string({ required: true }) },
    resolve: (_root, { token }, ctx) => findAccountLink(ctx, token),
  }),
}))
