import { hasFingerprint, isReadyToSubmit, type NewUploadFile } from './new-upload-file.ts'
import { type Content, findMissing, type ReceivedContent } from './transfers/resume-plan.ts'

/** The upload that receives the files. */
export type UploadTarget = { uploadId: string; number: number; title: string }
/** The patient who gets files that were chosen for somebody else. */
export type OtherPatient = { id: string; name: string }
/**
 * The upload of the chosen files: it does not exist yet (`choosing`), is created (`creating`), receives its files
 * (`sending`), gives some to another patient (`moving`), waits for the answer about what its files say (`asking`), is submitted (`submitting`) or withdrawn
 * (`withdrawing`). While the user is asked whether to withdraw it, it is not submitted (`held`). `refused`: it could not
 * be submitted, saved or withdrawn.
 */
export type Draft = NoUpload | OpenDraft
export type NoUpload = {
  status: 'choosing' | 'creating'
  /** Why the upload could not be created; undefined: it was not tried. */
  failure?: unknown
}
export type OpenDraft = {
  status: 'sending' | 'held' | 'moving' | 'asking' | 'submitting' | 'withdrawing' | 'refused'
  target: UploadTarget
  /** Whether the user has handed the upload in: it is submitted as soon as its files have arrived. */
  isHandedIn: boolean
  /** Whether it was begun earlier, and is kept when the user leaves it. */
  isContinued: boolean
  /** What the server had of the upload when it was continued; fixed until the server refuses to submit it. */
  earlier: ReceivedContent
  /** The content of the files that the user has left out. */
  removed: readonly Content[]
  /** Why the upload is `refused`; null: it is not. */
  failure: unknown
  /** Whether a `refused` upload is submitted again without the user, because the server cannot be reached. */
  isRepeated: boolean
}

export const isOpen = (draft: Draft): draft is OpenDraft => 'target' in draft

/** Whether files may be added or removed, and the upload be submitted or withdrawn. */
export const canChange = (draft: Draft): draft is OpenDraft =>
  draft.status === 'sending' || draft.status === 'held' || draft.status === 'refused'

/** Whether the upload exists only for the form: without the form nobody needs it. */
export const isOnlyChosen = (draft: Draft): boolean =>
  !isOpen(draft) || !(draft.isHandedIn || draft.isContinued)

type Files = readonly NewUploadFile[]

/**
 * Returns what the user loses by leaving the page: files that are only chosen, what was written about an upload whose files
 * have all arrived, or the rest of the upload.
 */
export function findLoss(draft: Draft, files: Files): 'chosen' | 'written' | 'sending' | null {
  if (isOnlyChosen(draft)) return files.length > 0 ? 'chosen' : null
  return isOpen(draft) && !draft.isHandedIn && isComplete(draft, files) ? 'written' : 'sending'
}

/** Returns the partial transfers of a continued upload whose files are neither chosen nor left out. */
export const findMissingFiles = ({ earlier, removed }: OpenDraft, files: Files) =>
  findMissing(earlier.transfers, [...files.filter(hasFingerprint), ...removed])

/** Whether the upload has files, and all those of the list have arrived. */
export const canSubmit = ({ earlier }: OpenDraft, files: Files): boolean =>
  files.length + earlier.files.length > 0 && files.every(isReadyToSubmit)

export const isComplete = (draft: OpenDraft, files: Files): boolean =>
  canSubmit(draft, files) && findMissingFiles(draft, files).length === 0
