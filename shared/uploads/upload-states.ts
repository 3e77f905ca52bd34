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

const MOVES: Record<UploadState, readonly UploadState[]> = {
  receiving: ['checking', 'withdrawn'],
  checking: ['quarantined', 'unassigned', 'in_review'],
  quarantined: ['checking', 'withdrawn'],
  unassigned: ['in_review', 'withdrawn'],
  in_review: ['accepted', 'rejected', 'unassigned', 'withdrawn'],
  accepted: ['released', 'in_review', 'withdrawn'],
  released: ['replaced', 'withdrawn', 'in_review'],
  rejected: ['in_review', 'unassigned', 'withdrawn'],
  replaced: [],
  withdrawn: [],
}

/** Whether an upload may move directly from one state to the other. */
export function canMove(from: UploadState, to: UploadState): boolean {
  return MOVES[from].includes(to)
}

export const UPLOAD_STATE_NAMES: Record<UploadState, string> = {
  receiving: 'se încarcă',
  checking: 'se controlează',
  quarantined: 'în carantină',
  unassigned: 'fără pacient',
  in_review: 'de verificat',
  accepted: 'de eliberat',
  released: 'eliberată',
  rejected: 'respinsă',
  replaced: 'înlocuită',
  withdrawn: 'retrasă',
}

/** Why a reviewer rejects an upload; the code is stored, the text is shown. */
export const REJECTION_REASONS = {
  'wrong-patient': 'Alt pacient decât cel ales',
  'wrong-file': 'Fișier greșit',
  unreadable: 'Nu se poate citi',
  incomplete: 'Incomplet',
  'wrong-category': 'Categorie greșită',
  duplicate: 'Există deja',
  other: 'Alt motiv',
} as const
export type RejectionReason = keyof typeof REJECTION_REASONS
