import { graphql, type ResultOf } from '../../api/graphql.ts'

export const OWN_ACCOUNT = graphql(`
  query OwnAccount {
    mySecurity {
      hasSecondFactor
      secondFactorRequired
      recoveryCodesLeft
    }
    mySessions {
      id
      createdAt
      lastSeenAt
      ip
      userAgent
      current
    }
  }
`)

export type OwnSecurity = ResultOf<typeof OWN_ACCOUNT>['mySecurity']
export type SessionRow = ResultOf<typeof OWN_ACCOUNT>['mySessions'][number]

export const END_SESSION = graphql(`
  mutation EndSession($id: ID!) {
    endSession(id: $id)
  }
`)

export const END_OTHER_SESSIONS = graphql(`
  mutation EndOtherSessions {
    endOtherSessions
  }
`)

export const CHANGE_PASSWORD = graphql(`
  mutation ChangePassword($current: String!, $next: String!) {
    changePassword(current: $current, next: $next)
  }
`)

export const BEGIN_SECOND_FACTOR = graphql(`
  mutation BeginSecondFactor($password: String!) {
    beginSecondFactor(password: $password) {
      secret
      uri
      ticket
    }
  }
`)

export const CONFIRM_SECOND_FACTOR = graphql(`
  mutation ConfirmSecondFactor($ticket: String!, $code: String!) {
    confirmSecondFactor(ticket: $ticket, code: $code)
  }
`)

export const DISABLE_SECOND_FACTOR = graphql(`
  mutation DisableSecondFactor($password: String!, $code: String!) {
    disableSecondFactor(password: $password, code: $code)
  }
`)

export const NEW_RECOVERY_CODES = graphql(`
  mutation NewRecoveryCodes($password: String) {
    newRecoveryCodes(password: $password)
  }
`)
