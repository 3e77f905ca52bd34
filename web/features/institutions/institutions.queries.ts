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
      }
    }
  }
`)

export type InstitutionRow = ResultOf<typeof INSTITUTIONS>['institutions']['nodes'][number]

const FACTS = graphql(`
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
    color
  }
`)

export type InstitutionFacts = ResultOf<typeof FACTS>

export const INSTITUTION = graphql(
  `
    query Institution($id: ID!) {
      institution(id: $id) {
        ...InstitutionFacts
        can {
          edit
        }
        users {
          id
          name
          email
          status
          invitationExpiresAt
          lastSignInAt
        }
      }
    }
  `,
  [FACTS],
)

export type InstitutionUser = ResultOf<typeof INSTITUTION>['institution']['users'][number]

export const CREATE_INSTITUTION = graphql(
  `
    mutation CreateInstitution($institution: InstitutionInput!) {
      createInstitution(institution: $institution) {
        ...InstitutionFacts
      }
    }
  `,
  [FACTS],
)

export const UPDATE_INSTITUTION = graphql(
  `
    mutation UpdateInstitution($id: ID!, $version: Int!, $institution: InstitutionInput!) {
      updateInstitution(id: $id, version: $version, institution: $institution) {
        ...InstitutionFacts
      }
    }
  `,
  [FACTS],
)

/** What the reader stands for. */
export const OWN_INSTITUTIONS = graphql(
  `
    query OwnInstitutions {
      ownInstitutions {
        ...InstitutionFacts
      }
    }
  `,
  [FACTS],
)

export const UPDATE_OWN_INSTITUTION = graphql(
  `
    mutation UpdateOwnInstitution($id: ID!, $version: Int!, $profile: InstitutionProfileInput!) {
      updateOwnInstitution(id: $id, version: $version, profile: $profile) {
        ...InstitutionFacts
      }
    }
  `,
  [FACTS],
)
