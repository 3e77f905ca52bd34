import type { FileRejection } from '../../../../shared/uploads/file-rejections.ts'
import type { FoundCnps } from './found-cnps.ts'
import type { FileKind } from './recognise-file.ts'

/** What a file says of itself, as the screens show it. */
export type FileDetails = {
  /** Why it was refused. */
  reason?: FileRejection
  /** A PDF that asks for a password. */
  locked?: boolean
  /** All of it was read as text, a PDF on every page, and nothing in it is left for eyes alone. */
  wholeText?: true
  /** A PDF too large to be read for its text. */
  unread?: boolean
  /** Pixels of an image. */
  width?: number
  height?: number
  /** Files in an archive, their first names, and their bytes when unpacked. */
  entries?: number
  names?: string[]
  unpacked?: number
}

export type Inspection =
  | {
      accepted: true
      kind: FileKind
      type: string
      pageCount: number | null
      text: string | null
      /** Absent where there is no text. */
      cnps?: FoundCnps
      facts: FileDetails
    }
  | { accepted: false; facts: FileDetails & { reason: FileRejection } }

export const rejectFile = (reason: FileRejection): Inspection => ({ accepted: false, facts: { reason } })
