import { FILE_REJECTIONS, type FileRejection } from '../../../shared/uploads/file-rejections.ts'
import type { PreviewFile } from './preview-controls.ts'

/** What the check of a file has written down, as far as the screens show it. */
export type FileFields = {
  reason?: FileRejection
  /** A PDF that asks for a password. */
  locked?: boolean
  width?: number
  height?: number
  /** Files in an archive, the names of the first of them, and their bytes when unpacked. */
  entries?: number
  names?: string[]
  unpacked?: number
}

export const describeFileFields = ({ facts }: Pick<PreviewFile, 'facts'>): FileFields =>
  (facts ?? {}) as FileFields

/** Why a file was stopped, in a sentence; null where it was not. */
export function describeRejection(file: Pick<PreviewFile, 'facts' | 'scanResult'>): string | null {
  if (file.scanResult !== 'refused') return null
  const { reason } = describeFileFields(file)
  return (reason && FILE_REJECTIONS[reason]) ?? 'Fișierul nu a trecut controlul automat.'
}
