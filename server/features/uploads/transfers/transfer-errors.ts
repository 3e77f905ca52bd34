import { formatBytes } from '../../../../shared/romania/romanian.ts'
import { forbidden, invalid, invalidState, UserError } from '../../../errors.ts'

export const fileTooLarge = (maxBytes: number) =>
  new UserError(413, 'file too large', `Fișierul este prea mare: cel mult ${formatBytes(maxBytes)}.`)

const CHANGED = 'Fișierul s-a schimbat în timpul încărcării. Încarcă-l din nou.'

export const bodyTooLong = () => new UserError(413, 'more bytes than announced', CHANGED)

/** The file of the transfer was taken out of its upload. */
export const removedFile = () =>
  invalidState(
    'file was removed',
    'Fișierul a fost scos din încărcare. Trimite-l din nou cu alt identificator.',
  )

/** The user has announced another file under the same id. */
export const otherFile = () => invalidState('id of another file', CHANGED)

export const cutBody = () => new UserError(400, 'fewer bytes than announced')

/** `field`: where the request states the file. */
export const emptyFile = (field: string) => invalid([{ field, message: 'Fișierul este gol.' }])

export const transferBusy = () => new UserError(423, 'transfer locked')

export const checksumMismatch = () => new UserError(460, 'sha256 differs')

export const noSpace = () => new UserError(507, 'no space for files')

export const transferMoved = () =>
  invalidState(
    'transfer is at another offset',
    'Încărcarea fișierului a continuat între timp. Reia încărcarea.',
  )

export const finishedFile = () => forbidden('change a finished file')

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether a system error means that the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FULL.has(String(error.code))
