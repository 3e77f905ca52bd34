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

/** Whose files an upload has, for the filter of the queue: also what a person has filed since counts for its sender. */
export const UPLOAD_SENDERS = ['staff', 'institution', 'integration'] as const
export type UploadSender = (typeof UPLOAD_SENDERS)[number]

/** From the examination to the filing, from there to the release, and from there to the first opening. */
export const TURNAROUND_STEPS = ['filing', 'release', 'opening'] as const
export type TurnaroundStep = (typeof TURNAROUND_STEPS)[number]

/** The last days of which turn-around times are shown, today included. */
export const TURNAROUND_DAYS = [7, 30, 90] as const
