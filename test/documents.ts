import type { TestClient } from './client.ts'

/** GraphQL documents that several test files send. */
export const CREATE_UPLOAD = 'mutation ($upload: UploadInput!) { createUpload(upload: $upload) { id } }'
export const SUBMIT_UPLOAD = 'mutation ($id: ID!) { submitUpload(id: $id) { id } }'
export const READ_UPLOAD_STATE = 'query ($id: ID!) { upload(id: $id) { state } }'
export const ACCEPT_UPLOAD =
  'mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version, reason: "compared-original", comment: "cu originalul") { id } }'
export const WITHDRAW_UPLOAD = 'mutation ($id: ID!) { withdrawUpload(id: $id) { id } }'
export const CHANGE_PASSWORD =
  'mutation ($current: String!, $next: String!) { changePassword(current: $current, next: $next) }'
export const CONFIRM_SECOND_FACTOR =
  'mutation ($ticket: String!, $code: String!) { confirmSecondFactor(ticket: $ticket, code: $code) }'

const READ_HOLDS = 'query ($id: ID!) { upload(id: $id) { comparison { holds { kind what value fileId } } } }'

/** Returns the holds of an upload as a reviewer's page shows them. */
export async function readShownHolds(client: TestClient, id: string): Promise<object[]> {
  return (await client.runQuery(READ_HOLDS, { id })).upload.comparison?.holds ?? []
}
