/** A file as its content identifies it: SHA-256 in hex, size in bytes. */
export type Content = { sha256: string; size: number }

/** What of an upload the server already has: whole files, and beginnings of others (`received` bytes of `size`). */
export type ReceivedContent = {
  files: readonly Content[]
  transfers: readonly (Content & { id: string; name: string; received: number })[]
}

export const NOTHING_RECEIVED: ReceivedContent = { files: [], transfers: [] }

export type ResumePlan = { kind: 'new' } | { kind: 'continue'; transferId: string } | { kind: 'arrived' }

const isSame = (a: Content, b: Content): boolean => a.sha256 === b.sha256 && a.size === b.size

/**
 * How a file that was chosen goes into an upload: on from where it was cut off, not at all where it is there already, or
 * from its first byte. Names do not count: a renamed file continues, another one under an old name does not.
 */
export function planResume(file: Content, { files, transfers }: ReceivedContent): ResumePlan {
  if (files.some((arrived) => isSame(arrived, file))) return { kind: 'arrived' }
  // Of two beginnings of one file, the one that got further.
  const [furthest] = transfers
    .filter((transfer) => isSame(transfer, file))
    .sort((one, other) => other.received - one.received)
  return furthest ? { kind: 'continue', transferId: furthest.id } : { kind: 'new' }
}

/** The beginnings that none of the chosen files continues. */
export const findMissing = <T extends Content>(transfers: readonly T[], chosen: readonly Content[]): T[] =>
  transfers.filter((transfer) => !chosen.some((file) => isSame(file, transfer)))
