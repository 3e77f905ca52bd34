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

export const USER_SESSIONS = graphql(`
  query UserSessions($userId: ID!) {
    userSessions(userId: $userId) {
      id
      createdAt
      lastSeenAt
      ip
      userAgent
      current
    }
  }
`)

export type UserRow = ResultOf<typeof USERS>['users']['nodes'][number]
