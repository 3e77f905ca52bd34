/** The states of an upload. Only `released` is visible outside the staff. */
export const UPLOAD_STATES = [
  'receiving',
  'checking',
  'quarantined',
  'unassigned',
  'in_review',
  'accepted',
  'released',
  'rejected',
  'replaced',
  'withdrawn',
] as const
export type UploadState = (typeof UPLOAD_STATES)[number]
