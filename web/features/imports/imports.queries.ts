import { graphql, type ResultOf } from '../../api/graphql.ts'

const IMPORT_FIELDS = graphql(`
  fragment ImportFields on PatientImport {
    id
    fileName
    state
    problem
    encoding
    headings
    columns
    institutionId
    institutionName
    overwrites
    rowCount
    checkedRows
    importedRows
    checked {
      outcome
      rows
    }
    imported {
      outcome
      rows
    }
    createdAt
    version
  }
`)
export type ImportFields = ResultOf<typeof IMPORT_FIELDS>

export const IMPORTS = graphql(
  `
    query PatientImports($first: Int, $after: String) {
      patientImports(first: $first, after: $after) {
        nodes {
          ...ImportFields
        }
        endCursor
      }
    }
  `,
  [IMPORT_FIELDS],
)

export const IMPORT = graphql(
  `
    query PatientImport($id: ID!) {
      patientImport(id: $id) {
        ...ImportFields
        preview
      }
    }
  `,
  [IMPORT_FIELDS],
)
export type ImportPage = ResultOf<typeof IMPORT>['patientImport']

export const IMPORT_LINES = graphql(`
  query PatientImportLines($importId: ID!, $outcome: ImportOutcome, $first: Int, $after: String) {
    patientImportLines(importId: $importId, outcome: $outcome, first: $first, after: $after) {
      nodes {
        line
        name
        outcome
        problems {
          code
          field
          message
        }
        changes {
          field
          from
          to
        }
        patient {
          id
          name
          number
        }
        sameLine
        isAllowed
      }
      endCursor
    }
  }
`)
export type ImportLine = ResultOf<typeof IMPORT_LINES>['patientImportLines']['nodes'][number]

export const REREAD_IMPORT = graphql(
  `
    mutation RereadPatientImport($id: ID!, $version: Int!, $encoding: String!) {
      rereadPatientImport(id: $id, version: $version, encoding: $encoding) {
        ...ImportFields
      }
    }
  `,
  [IMPORT_FIELDS],
)

export const CHECK_IMPORT = graphql(
  `
    mutation CheckPatientImport(
      $id: ID!
      $version: Int!
      $columns: [ImportField]!
      $institutionId: ID
      $overwrites: Boolean!
    ) {
      checkPatientImport(
        id: $id
        version: $version
        columns: $columns
        institutionId: $institutionId
        overwrites: $overwrites
      ) {
        ...ImportFields
      }
    }
  `,
  [IMPORT_FIELDS],
)

export const ALLOW_LINES = graphql(`
  mutation AllowPatientImportLines($id: ID!, $lines: [Int!]!, $allowed: Boolean!) {
    allowPatientImportLines(id: $id, lines: $lines, allowed: $allowed) {
      id
    }
  }
`)

export const START_IMPORT = graphql(
  `
    mutation StartPatientImport($id: ID!, $version: Int!) {
      startPatientImport(id: $id, version: $version) {
        ...ImportFields
      }
    }
  `,
  [IMPORT_FIELDS],
)

export const STOP_IMPORT = graphql(
  `
    mutation StopPatientImport($id: ID!) {
      stopPatientImport(id: $id) {
        ...ImportFields
      }
    }
  `,
  [IMPORT_FIELDS],
)

export const REMOVE_IMPORT = graphql(`
  mutation RemovePatientImport($id: ID!) {
    removePatientImport(id: $id)
  }
`)
