import { graphql, type ResultOf } from '../../api/graphql.ts'

const USER_FIELDS = graphql(`
  fragment UserFacts on User {
    id
    version
    name
    email
    phone
    jobTitle
    role
    features
    status
    isShutOut
    institutions {
      id
      name
      isSuspended
    }
    hasSecondFactor
    createdAt
    lastSignInAt
    invitationExpiresAt
  }
`)

export type UserDetails = ResultOf<typeof USER_FIELDS>

export const USERS = graphql(
  `
    query Users($search: String, $role: Role, $status: AccountStatus, $order: AccountOrder, $after: String) {
      users(search: $search, role: $role, status: $status, order: $order, after: $after) {
        endCursor
        nodes {
          ...UserFacts
        }
      }
    }
  `,
  [USER_FIELDS],
)

export const USER = graphql(
  `
    query User($id: ID!) {
      user(id: $id) {
        ...UserFacts
      }
    }
  `,
  [USER_FIELDS],
)

export const UPDATE_USER = graphql(
  `
    mutation UpdateUser($id: ID!, $version: Int!, $user: UserInput!) {
      updateUser(id: $id, version: $version, user: $user) {
        ...UserFacts
      }
    }
  `,
  [USER_FIELDS],
)

export const INVITE_USER = graphql(
  `
    mutation InviteUser($invitation: UserInput!) {
      inviteUser(invitation: $invitation) {
        user {
          ...UserFacts
        }
        link
        isMailed
      }
    }
  `,
  [USER_FIELDS],
)

export const RESEND_INVITATION = graphql(
  `
    mutation ResendInvitation($userId: ID!) {
      resendInvitation(userId: $userId) {
        user {
          ...UserFacts
        }
        link
        isMailed
      }
    }
  `,
  [USER_FIELDS],
)

export type Invitation = ResultOf<typeof INVITE_USER>['inviteUser']

export const CANCEL_INVITATION = graphql(`
  mutation CancelInvitation($userId: ID!) {
    cancelInvitation(userId: $userId)
  }
`)

export const SUSPEND_USER = graphql(
  `
    mutation SuspendUser($userId: ID!) {
      suspendUser(userId: $userId) {
        ...UserFacts
      }
    }
  `,
  [USER_FIELDS],
)

export const REACTIVATE_USER = graphql(
  `
    mutation ReactivateUser($userId: ID!) {
      reactivateUser(userId: $userId) {
        ...UserFacts
      }
    }
  `,
  [USER_FIELDS],
)

export const SEND_PASSWORD_RESET = graphql(`
  mutation SendPasswordReset($userId: ID!) {
    sendPasswordReset(userId: $userId) {
      id
    }
  }
`)

export const REMOVE_SECOND_FACTOR = graphql(`
  mutation RemoveSecondFactor($userId: ID!) {
    removeSecondFactor(userId: $userId)
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

export const INSTITUTION_OPTIONS = graphql(`
  query InstitutionOptions($search: String, $after: String) {
    institutions(search: $search, open: true, after: $after) {
      endCursor
      nodes {
        id
        name
        shortName
        locality
      }
    }
  }
`)
