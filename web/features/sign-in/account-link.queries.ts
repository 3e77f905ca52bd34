import { graphql, type ResultOf } from '../../api/graphql.ts'

/** Sent with the public key, since the user is not signed in. */
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
