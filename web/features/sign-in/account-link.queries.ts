import { graphql, type ResultOf } from '../../api/graphql.ts'

/** Asked with the public key: whoever opens the link is nobody yet. */
export const ACCOUNT_LINK = graphql(`
  query AccountLink($token: String!) {
    accountLink(token: $token) {
      purpose
      name
      emailMasked
      passwordMin
    }
  }
`)

export type AccountLinkDetails = NonNullable<ResultOf<typeof ACCOUNT_LINK>['accountLink']>
