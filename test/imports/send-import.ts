import { IMPORT_FILE_NAME, PATIENT_IMPORTS_PATH } from '../../shared/imports/patient-imports.ts'
import type { TestClient } from '../client.ts'

const IMPORT = `id state problem encoding headings columns preview rowCount checkedRows importedRows overwrites version
  checked { outcome rows } imported { outcome rows }`

export const READ_IMPORT = `query ($id: ID!) { patientImport(id: $id) { ${IMPORT} } }`
export const REREAD = `mutation ($id: ID!, $version: Int!, $encoding: String!) {
  rereadPatientImport(id: $id, version: $version, encoding: $encoding) { ${IMPORT} } }`
export const CHECK = `mutation ($id: ID!, $version: Int!, $columns: [ImportField]!, $institutionId: ID, $overwrites: Boolean!) {
  checkPatientImport(id: $id, version: $version, columns: $columns, institutionId: $institutionId, overwrites: $overwrites) {
    ${IMPORT} } }`
export const ALLOW = `mutation ($id: ID!, $lines: [Int!]!, $allowed: Boolean!) {
  allowPatientImportLines(id: $id, lines: $lines, allowed: $allowed) { id } }`
export const START = `mutation ($id: ID!, $version: Int!) { startPatientImport(id: $id, version: $version) { ${IMPORT} } }`
export const STOP = 'mutation ($id: ID!) { stopPatientImport(id: $id) { state } }'
export const REMOVE = 'mutation ($id: ID!) { removePatientImport(id: $id) }'
export const LINES = `query ($importId: ID!, $outcome: ImportOutcome, $first: Int, $after: String) {
  patientImportLines(importId: $importId, outcome: $outcome, first: $first, after: $after) {
    nodes { line name outcome problems { code field message } changes { field from to } patient { id } sameLine isAllowed }
    endCursor } }`

/** Sends a file of patients. */
export const sendImport = async (
  client: TestClient,
  name: string,
  bytes: string | Uint8Array,
): Promise<Response> =>
  client.fetch(PATIENT_IMPORTS_PATH, {
    method: 'POST',
    headers: {
      authorization: await client.authorization('files'),
      [IMPORT_FILE_NAME]: encodeURIComponent(name),
    },
    body: typeof bytes === 'string' ? bytes : Uint8Array.from(bytes),
  })
