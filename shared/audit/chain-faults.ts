/**
 * What the verification of the audit log's chain can find. A fault means that saved entries were changed; a
 * warning means that the proof is incomplete, which can also happen when the data folder is moved.
 */
export const CHAIN_FAULTS = [
  'changed',
  'deleted',
  'missing',
  'reordered',
  'inserted',
  'backdated',
  'unsealed',
  'rewritten',
  'cut',
] as const
export const CHAIN_WARNINGS = ['late', 'anchors-edited', 'anchors-missing'] as const
export type ChainFaultKind = (typeof CHAIN_FAULTS)[number] | (typeof CHAIN_WARNINGS)[number] | 'more'

/** A fault or a warning, and the entry that it concerns. */
export type ChainFault = {
  kind: ChainFaultKind
  /**
   * The entry, a bigint as text: for `missing` the one after the gap, for `cut` the last one there is; null
   * if there is none.
   */
  entryId: string | null
  /** The entry's position in the chain, or that of the checkpoint that does not match. */
  position: number | null
  /** How many entries are concerned. */
  count: number
}

export const isChainWarning = (kind: string): boolean => (CHAIN_WARNINGS as readonly string[]).includes(kind)
