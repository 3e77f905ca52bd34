/**
 * What the verification of the journal's chain can find. The first ones say that somebody touched what is written; the
 * warnings say that the proof is not whole, which also a moved data folder brings about.
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

/** One of them, at which entry. */
export type ChainFault = {
  kind: ChainFaultKind
  /** The entry it is about, a bigint as text: for `missing` the one after the gap, for `cut` the last one there is; null where there is none. */
  entryId: string | null
  /** Its place in the chain, or of the anchor that does not fit. */
  position: number | null
  /** How many are concerned. */
  count: number
}

export const isChainWarning = (kind: ChainFaultKind): boolean =>
  (CHAIN_WARNINGS as readonly string[]).includes(kind)
