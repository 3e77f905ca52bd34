import { graphql, type ResultOf } from '../../api/graphql.ts'

export const INSTITUTIONS = graphql(`
  query Institutions($search: String, $after: String) {
    institutions(search: $search, after: $after) {
      endCursor
      nodes {
        id
        name
        shortName
        kind
        code
        county
        locality
        phone
        suspendedAt
        accent
        logo
      }
    }
  }
`)

export type InstitutionRow = ResultOf<typeof INSTITUTIONS>['institutions']['nodes'][number]

const INSTITUTION_FIELDS = graphql(`
  fragment InstitutionFacts on Institution {
    id
    version
    updatedAt
    suspendedAt
    name
    shortName
    kind
    code
    cui
    tradeRegister
    county
    locality
    address
    phone
    email
    contacts
    delivery
    mayUpload
    accent
    logo
  }
`)

export type InstitutionDetails = ResultOf<typeof INSTITUTION_FIELDS>

const INSTITUTION_PAGE_FIELDS = graphql(
  `
    fragment InstitutionPage on Institution {
      ...InstitutionFacts
      can {
        edit
        suspend
        reactivate
      }
      users {
        id
        name
        email
        status
        isShutOut
        invitationExpiresAt
        lastSignInAt
        lastUsedAt
      }
    }
  `,
  [INSTITUTION_FIELDS],
)

export const INSTITUTION = graphql(
  `
    query Institution($id: ID!) {
      institution(id: $id) {
        ...InstitutionPage
      }
    }
  `,
  [INSTITUTION_PAGE_FIELDS],
)

export type InstitutionPage = ResultOf<typeof INSTITUTION_PAGE_FIELDS>
export type InstitutionUser = InstitutionPage['users'][number]

export const CREATE_INSTITUTION = graphql(
  `
    mutation CreateInstitution($institution: InstitutionInput!) {
      createInstitution(institution: $institution) {
        ...InstitutionFacts
      }
    }
  `,
  [INSTITUTION_FIELDS],
)

export const UPDATE_INSTITUTION = graphql(
  `
    mutation UpdateInstitution($id: ID!, $version: Int!, $institution: InstitutionInput!) {
      updateInstitution(id: $id, version: $version, institution: $institution) {
        ...InstitutionFacts
      }
    }
  `,
  [INSTITUTION_FIELDS],
)

/** The consequences that a suspension would have now. */
export const INSTITUTION_SUSPENSION = graphql(`
  query InstitutionSuspension($id: ID!) {
    institutionSuspension(id: $id) {
      losing
      keeping
      waiting
    }
  }
`)

export const SUSPEND_INSTITUTION = graphql(
  `
    mutation SuspendInstitution($id: ID!, $version: Int!) {
      suspendInstitution(id: $id, version: $version) {
        ...InstitutionPage
      }
    }
  `,
  [INSTITUTION_PAGE_FIELDS],
)

export const REACTIVATE_INSTITUTION = graphql(
  `
    mutation ReactivateInstitution($id: ID!, $version: Int!) {
      reactivateInstitution(id: $id, version: $version) {
        ...InstitutionPage
      }
    }
  `,
  [INSTITUTION_PAGE_FIELDS],
)

/** The institutions of the user. */
export const OWN_INSTITUTIONS = graphql(
  `
    query OwnInstitutions {
      ownInstitutions {
        ...InstitutionFacts
      }
    }
  `,
  [INSTITUTION_FIELDS],
)

export const UPDATE_OWN_INSTITUTION = graphql(
  `
    mutation UpdateOwnInstitution($id: ID!, $version: Int!, $profile: InstitutionProfileInput!) {
      updateOwnInstitution(id: $id, version: $version, profile: $profile) {
        ...InstitutionFacts
      }
    }
  `,
  [INSTITUTION_FIELDS],
)
