import type { UploadSender, UploadState } from './upload-state-list.ts'

/**
 * An upload that was released may be replaced in any state that it came to since, except the final ones. One of a batch
 * returns to `receiving` if its author undoes its filing before a verdict.
 */
const MOVES: Record<UploadState, readonly UploadState[]> = {
  receiving: ['checking', 'withdrawn'],
  checking: ['quarantined', 'unassigned', 'in_review', 'replaced', 'receiving'],
  quarantined: ['checking', 'withdrawn', 'replaced', 'receiving'],
  unassigned: ['in_review', 'withdrawn', 'replaced', 'receiving'],
  in_review: ['accepted', 'rejected', 'unassigned', 'withdrawn', 'replaced', 'receiving'],
  accepted: ['released', 'in_review', 'withdrawn', 'replaced'],
  released: ['replaced', 'withdrawn', 'in_review'],
  rejected: ['checking', 'in_review', 'unassigned', 'withdrawn', 'replaced'],
  replaced: [],
  withdrawn: [],
}

/** Whether an upload may move directly from one state to the other. */
export function canMove(from: UploadState, to: UploadState): boolean {
  return MOVES[from].includes(to)
}

/** Whether no way leads out of the state. */
export const isFinal = (state: UploadState): boolean => MOVES[state].length === 0

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

/** Who filed an upload: staff, an institution, or a transfer of many files at once. */
export const UPLOAD_SOURCES = ['staff', 'institution', 'bulk'] as const
export type UploadSource = (typeof UPLOAD_SOURCES)[number]

export const UPLOAD_SENDER_NAMES: Readonly<Record<UploadSender, string>> = {
  staff: 'Trimise de personal',
  institution: 'Trimise de instituții',
  integration: 'Trimise de integrări',
}

/** A reviewer's decision about an upload. */
export const VERDICTS = ['accepted', 'rejected'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Marks an upload that the reviewer filed. */
export const OWN_UPLOAD_MARK = 'Ai încărcat-o tu'
/** Why a reviewer cannot accept an upload, without a full stop. */
export const OWN_UPLOAD_MESSAGE = `${OWN_UPLOAD_MARK}: o acceptă altcineva`

/** Why a reviewer rejects an upload. */
export const REJECTION_REASONS = [
  'wrong-patient',
  'wrong-file',
  'unreadable',
  'incomplete',
  'wrong-category',
  'duplicate',
  'other',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

export const REJECTION_REASON_NAMES: Readonly<Record<RejectionReason, string>> = {
  'wrong-patient': 'Alt pacient decât cel ales',
  'wrong-file': 'Fișier greșit',
  unreadable: 'Nu se poate citi',
  incomplete: 'Incomplet',
  'wrong-category': 'Categorie greșită',
  duplicate: 'Există deja',
  other: 'Alt motiv',
}

/** Required with each rejection: a reason, and for the reason `other` a comment. */
export const REJECTION_MESSAGES = {
  reason: 'Alege motivul respingerii.',
  comment: 'Scrie motivul respingerii.',
} as const
