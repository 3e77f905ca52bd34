import { graphql, type ResultOf } from '../../api/graphql.ts'

export const USERS = graphql(`
  query Users($after: String) {
    users(after: $after) {
      endCursor
      nodes {
        id
        name
        email
        jobTitle
        role
        features
        status
        institutions
        lastSignInAt
      }
    }
  }
`)

export type UserRow = ResultOf<typeof USERS>['users']['nodes'][number]
