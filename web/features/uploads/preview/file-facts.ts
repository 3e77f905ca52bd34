import { FILE_REFUSALS, type FileRefusal } from '../../../../shared/file-refusals.ts'
import type { PreviewFile } from './preview-controls.ts'

/** What the check of a file has written down, as far as the screens show it. */
export type FileFacts = {
  reason?: FileRefusal
  /** A PDF that asks for a password. */
  locked?: boolean
  width?: number
  height?: number
  /** Files in an archive, the names of the first of them, and their bytes when unpacked. */
  entries?: number
  names?: string[]
  unpacked?: number
}

export const factsOf = ({ facts }: Pick<PreviewFile, 'facts'>): FileFacts => (facts ?? {}) as FileFacts

/** Why a file was stopped, in a sentence; null where it was not. */
export function refusalOf(file: Pick<PreviewFile, 'facts' | 'scanResult'>): string | null {
  if (file.scanResult !== 'refused') return null
  const { reason } = factsOf(file)
  return (reason && FILE_REFUSALS[reason]) ?? 'Fișierul nu a trecut controlul automat.'
}
