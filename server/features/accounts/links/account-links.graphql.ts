import { passwordMin } from '../../../../shared/password-rules.ts'
import { builder } from '../../../graphql/builder.ts'
import type { AccountLinkRow } from './account-links.db.ts'
import { findAccountLink } from './find-account-link.ts'

/**
 * Masks `ana@exemplu.ro` as `a•••@exemplu.ro`: the owner recognises the address, a person who found the link
 * does not.
 */
const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/su, '$1•••')

const AccountLink = builder.objectRef<AccountLinkRow>('AccountLink').implement({
  fields: (t) => ({
    purpose: t.exposeString('purpose'),
    name: t.exposeString('name'),
    emailMasked: t.string({ resolve: ({ email }) => maskEmail(email) }),
    /** Minimum length of the new password, in characters. */
    passwordMin: t.int({ resolve: ({ has_second_factor }) => passwordMin(has_second_factor) }),
    expiresAt: t.expose('expires_at', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  /**
   * Returns null for an unknown, used, expired or replaced link alike. Attempts are not limited: the token
   * has 256 random bits and is looked up by its hash, so guessing is hopeless.
   */
  accountLink: t.withAuth({ anyClient: true }).field({
    type: AccountLink,
    nullable: true,
    skipTypeScopes: true,
    args: { token: t.arg.string({ required: true }) },
    resolve: (_root, { token }, ctx) => findAccountLink(ctx, token),
  }),
}))
