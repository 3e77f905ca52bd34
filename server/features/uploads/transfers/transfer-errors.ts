import type { ErrorCode } from '../../../../shared/error-codes.ts'
import { formatBytes } from '../../../../shared/romania/romanian.ts'
import { invalidState, UserError } from '../../../errors.ts'

/** An error for which the upload protocol has its own HTTP status. */
export class TransferError extends UserError {
  readonly status: 413 | 423 | 460 | 507

  constructor(status: 413 | 423 | 460 | 507, code: ErrorCode, message: string, personMessage: string) {
    super(code, message, personMessage)
    this.status = status
  }
}

export const fileTooLarge = (maxBytes: number) =>
  new TransferError(
    413,
    'BAD_USER_INPUT',
    'file too large',
    `Fișierul este prea mare: cel mult ${formatBytes(maxBytes)}.`,
  )

export const bodyTooLong = () =>
  new TransferError(
    413,
    'BAD_USER_INPUT',
    'more bytes than announced',
    'Fișierul s-a schimbat în timpul încărcării. Încarcă-l din nou.',
  )

export const transferBusy = () =>
  new TransferError(423, 'CONFLICT', 'transfer locked', 'Fișierul se încarcă deja dintr-o altă fereastră.')

export const checksumMismatch = () =>
  new TransferError(460, 'CONFLICT', 'sha256 differs', 'Fișierul nu a ajuns întreg. Încarcă-l din nou.')

export const noSpace = () =>
  new TransferError(
    507,
    'UNAVAILABLE',
    'no space for files',
    'Nu mai este loc pe server pentru acest fișier. Anunță administratorul.',
  )

export const transferMoved = () =>
  invalidState(
    'transfer is at another offset',
    'Încărcarea fișierului a continuat între timp. Reia încărcarea.',
  )

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether a system error means that the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FULL.has(String(error.code))
