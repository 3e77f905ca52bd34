import { type Fingerprinted, hasFingerprint, type NewUploadFile } from './new-upload-file.ts'
import { isSameContent } from './transfers/resume-plan.ts'

/** Returns the file of the list with the same content that is sent instead of this one. */
export const findOriginal = (files: readonly NewUploadFile[], file: Fingerprinted) =>
  files
    .filter(hasFingerprint)
    .find((other) => other.id !== file.id && other.status !== 'duplicate' && isSameContent(other, file))

/** Makes duplicates ready whose original is no longer in the list, or has another content; one of each. */
export function promoteDuplicates(files: readonly NewUploadFile[]): readonly NewUploadFile[] {
  const orphan = files
    .filter(hasFingerprint)
    .find((file) => file.status === 'duplicate' && !findOriginal(files, file))
  if (!orphan) return files
  const promoted = { ...orphan, status: 'ready' as const, reason: null }
  return promoteDuplicates(files.map((file) => (file === orphan ? promoted : file)))
}
