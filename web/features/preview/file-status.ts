import { FILE_REJECTIONS, type FileRejection } from '../../../shared/uploads/file-rejections.ts'
import type { PreviewFile } from './preview-controls.ts'

/** The result of the check of a file, as far as the screens show it. */
export type FileFields = {
  reason?: FileRejection
  /** Whether a PDF needs a password. */
  locked?: boolean
  width?: number
  height?: number
  /** For an archive: the number of files, the first names, and the unpacked size in bytes. */
  entries?: number
  names?: string[]
  unpacked?: number
}

export const describeFileFields = ({ facts }: Pick<PreviewFile, 'facts'>): FileFields =>
  (facts ?? {}) as FileFields

/** Returns the sentence why a file was rejected; null if it was not. */
export function describeRejection(file: Pick<PreviewFile, 'facts' | 'scanResult'>): string | null {
  if (file.scanResult !== 'refused') return null
  const { reason } = describeFileFields(file)
  return (reason && FILE_REJECTIONS[reason]) ?? 'Fișierul nu a trecut controlul automat.'
}
