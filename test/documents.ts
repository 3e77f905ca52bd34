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
