import { graphql, type ResultOf } from '../../api/graphql.ts'

export const OWN_ACCOUNT = graphql(`
  query OwnAccount {
    mySecurity {
      hasPassword
      hasAuthenticator
      secondFactorRequired
      recoveryCodesLeft
      passkeys {
        id
        name
        synced
        createdAt
        lastUsedAt
      }
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
export type PasskeyRow = OwnSecurity['passkeys'][number]
export type SessionRow = ResultOf<typeof OWN_ACCOUNT>['mySessions'][number]

export const OWN_DELIVERIES = graphql(`
  query OwnDeliveries {
    memberships {
      institutionId
      institutionName
      institutionDelivery
      delivery
    }
  }
`)

export const CHOOSE_DELIVERY = graphql(`
  mutation ChooseDelivery($institutionId: ID!, $delivery: Delivery) {
    chooseDelivery(institutionId: $institutionId, delivery: $delivery) {
      institutionId
      institutionName
      institutionDelivery
      delivery
    }
  }
`)

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

export const PROOF_OPTIONS = graphql(`
  query ProofOptions {
    mySecurity {
      hasPassword
      hasAuthenticator
      recoveryCodesLeft
      passkeys {
        id
      }
    }
  }
`)

export const BEGIN_PASSKEY_PROOF = graphql(`
  mutation BeginPasskeyProof {
    beginPasskeyProof
  }
`)

export const PROVE_IDENTITY = graphql(`
  mutation ProveIdentity($password: String, $code: String, $passkey: JSON) {
    proveIdentity(password: $password, code: $code, passkey: $passkey)
  }
`)

export const BEGIN_PASSKEY = graphql(`
  mutation BeginPasskey {
    beginPasskey
  }
`)

export const ADD_PASSKEY = graphql(`
  mutation AddPasskey($name: String!, $response: JSON!) {
    addPasskey(name: $name, response: $response) {
      recoveryCodes
    }
  }
`)

export const RENAME_PASSKEY = graphql(`
  mutation RenamePasskey($id: ID!, $name: String!) {
    renamePasskey(id: $id, name: $name)
  }
`)

export const REMOVE_PASSKEY = graphql(`
  mutation RemovePasskey($id: ID!) {
    removePasskey(id: $id)
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
  mutation NewRecoveryCodes {
    newRecoveryCodes
  }
`)

export const NOTIFICATION_SETTINGS = graphql(`
  query NotificationSettings {
    notificationSettings {
      kind
      isOn
    }
  }
`)

export const CHOOSE_NOTIFICATIONS = graphql(`
  mutation ChooseNotifications($kind: NotificationKind!, $isOn: Boolean!) {
    chooseNotifications(kind: $kind, isOn: $isOn) {
      kind
      isOn
    }
  }
`)
