/** The identity of a file's content: SHA-256 in hex, size in bytes. */
export type Content = { sha256: string; size: number }

/**
 * The content that the server already has of an upload: whole files, and `received` of `size` bytes of
 * others.
 */
export type ReceivedContent = {
  files: readonly ReceivedFile[]
  transfers: readonly (ReceivedFile & { received: number })[]
}
export type ReceivedFile = Content & { id: string; name: string }

export const NOTHING_RECEIVED: ReceivedContent = { files: [], transfers: [] }

export type ResumePlan = { kind: 'new' } | { kind: 'continue'; transferId: string } | { kind: 'arrived' }

export const isSameContent = (a: Content, b: Content): boolean => a.sha256 === b.sha256 && a.size === b.size

/**
 * Returns how to send a chosen file: continue a transfer, nothing if the server has the whole file, or from
 * the first byte. Names are ignored: a renamed file continues its transfer, other content under the old name
 * does not.
 */
export function planResume(file: Content, { files, transfers }: ReceivedContent): ResumePlan {
  if (files.some((arrived) => isSameContent(arrived, file))) return { kind: 'arrived' }
  const [furthest] = transfers
    .filter((transfer) => isSameContent(transfer, file))
    .sort((one, other) => other.received - one.received)
  return furthest ? { kind: 'continue', transferId: furthest.id } : { kind: 'new' }
}

/** Returns the transfers that none of the chosen files continues. */
export const findMissing = <T extends Content>(transfers: readonly T[], chosen: readonly Content[]): T[] =>
  transfers.filter((transfer) => !chosen.some((file) => isSameContent(file, transfer)))

/** Whether a chosen file may continue one of the transfers; its fingerprint may not be known yet. */
export const mayContinue = (
  file: { size: number; sha256: string | null },
  { transfers }: ReceivedContent,
): boolean => transfers.some(({ size, sha256 }) => size === file.size && (file.sha256 ?? sha256) === sha256)
