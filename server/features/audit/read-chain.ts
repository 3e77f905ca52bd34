import type { KeyObject } from 'node:crypto'
import type { ChainFault } from '../../../shared/audit/chain-faults.ts'
import type { Checkpoint } from '../../platform/crypto/checkpoints.ts'
import { CHAIN_START, chainHash } from './chain-hash.ts'

/**
 * A stored link of the chain with its entry in canonical form, null if the entry is missing. `at`: when the
 * entry was written, in milliseconds.
 */
export type ChainLink = {
  position: number
  entryId: string
  hash: Buffer
  entry: string | null
  at: number
}

/** A link whose hash does not match, with the hash stored before it. */
type Suspect = ChainLink & { entry: string; previous: Buffer }

/** The limit both of suspects kept for classification and of faults listed one by one. */
const MAX_SUSPECTS = 100
/** Up to this many removed entries are recognised when the later ones were renumbered. */
const MAX_SHIFT = 20
/**
 * An entry may be older than an earlier link by this much: transactions commit in another order and clocks
 * are adjusted.
 */
const CLOCK_TOLERANCE_MS = 60 * 60 * 1000

/**
 * Reads the chain link by link from the first on and collects its faults. Each link is checked against the
 * hash stored before it, so that one change is one fault. `checkpoints` must have been read before the chain;
 * `reached` is the highest position that earlier verifications recorded.
 */
export function createChainReader(key: KeyObject, checkpoints: readonly Checkpoint[], reached: number) {
  const { signedHashes, contradicted } = sortCheckpoints(checkpoints)
  const faults: ChainFault[] = []
  const suspects: Suspect[] = []
  let count = 0
  let last: ChainLink = { position: 0, entryId: '', hash: CHAIN_START, entry: null, at: 0 }
  /** The link before `last`. */
  let earlier = last
  /** By how much stored positions exceed the positions that the links were hashed with. */
  let shift = 0
  let isRewritten = false
  let unlisted = 0
  /** The latest time of the entries so far, in milliseconds. */
  let latest = Number.NEGATIVE_INFINITY

  const addFault = (kind: ChainFault['kind'], { entryId, position }: ChainLink, size = 1) => {
    if (faults.length < MAX_SUSPECTS) faults.push({ kind, entryId, position, count: size })
    else unlisted += 1
  }
  const dropLastSuspect = () => {
    if (suspects.at(-1)?.position === last.position) suspects.pop()
  }

  /** An entry inserted later with an old date is chained like a genuine one; only its time reveals it. */
  const checkTime = (link: ChainLink) => {
    if (link.at < latest - CLOCK_TOLERANCE_MS) addFault('backdated', link)
    latest = Math.max(latest, link.at)
  }

  const checkLink = (link: ChainLink) => {
    const position = link.position - shift
    const { entry } = link
    const gap = link.position - last.position - 1
    if (gap > 0) addFault('missing', link, gap)
    if (entry === null) return addFault('deleted', link)
    // The previous hash is missing, so the link cannot be checked.
    if (gap > 0) return
    const isHashedAfter = (previous: Buffer, hashedPosition: number) =>
      chainHash(key, previous, hashedPosition, entry).equals(link.hash)
    if (isHashedAfter(last.hash, position)) return checkTime(link)
    if (suspects.length >= MAX_SUSPECTS) {
      unlisted += 1
      return
    }
    if (last.position > 0 && isHashedAfter(earlier.hash, position - 1)) {
      dropLastSuspect()
      addFault('inserted', last)
      shift += 1
      return
    }
    for (let missingCount = 1; missingCount <= MAX_SHIFT; missingCount += 1) {
      if (!isHashedAfter(last.hash, position + missingCount)) continue
      dropLastSuspect()
      addFault('missing', last, missingCount)
      shift -= missingCount
      return
    }
    suspects.push({ ...link, entry, previous: last.hash })
  }

  return {
    read: (link: ChainLink) => {
      count += 1
      checkLink(link)
      const hash = signedHashes.get(link.position)
      const isOther = hash !== undefined && hash !== link.hash.toString('hex')
      if (!isRewritten && (isOther || contradicted.has(link.position))) {
        isRewritten = true
        addFault('rewritten', link)
      }
      earlier = last
      last = link
    },
    /** Ends the reading and returns the faults in the order of the chain. */
    finish: (): { count: number; position: number; faults: ChainFault[] } => {
      for (const [kind, suspect] of classifySuspects(key, suspects)) addFault(kind, suspect)
      const ahead =
        checkpoints.reduce((most, { position }) => Math.max(most, position), reached) - last.position
      faults.sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
      if (ahead > 0) {
        faults.push({ kind: 'cut', entryId: last.entryId || null, position: last.position, count: ahead })
      }
      if (unlisted > 0) faults.push({ kind: 'more', entryId: null, position: null, count: unlisted })
      return { count, position: last.position, faults }
    },
  }
}

/**
 * Returns the first hash signed for each position, and the positions for which a different one was signed
 * later.
 */
function sortCheckpoints(checkpoints: readonly Checkpoint[]) {
  const signedHashes = new Map<number, string>()
  const contradicted = new Set<number>()
  for (const { position, hash } of checkpoints) {
    const first = signedHashes.get(position)
    if (first === undefined) signedHashes.set(position, hash)
    else if (first !== hash) contradicted.add(position)
  }
  return { signedHashes, contradicted }
}

/**
 * Classifies suspects: entries that swapped positions are `reordered`, because each fits where the other is
 * stored; the rest are `changed`.
 */
function classifySuspects(key: KeyObject, suspects: readonly Suspect[]): [ChainFault['kind'], Suspect][] {
  const moved = new Set<Suspect>()
  const unchanged = new Set<Suspect>()
  for (const one of suspects) {
    for (const other of suspects) {
      if (one === other) continue
      const expected = chainHash(key, one.previous, one.position, other.entry)
      if (expected.equals(one.hash) || expected.equals(other.hash)) {
        moved.add(one)
        moved.add(other)
      }
      // The link itself is unchanged; only the hash before it was replaced.
      if (chainHash(key, other.hash, one.position, one.entry).equals(one.hash)) unchanged.add(one)
    }
  }
  return suspects
    .filter((suspect) => moved.has(suspect) || !unchanged.has(suspect))
    .map((suspect) => [moved.has(suspect) ? 'reordered' : 'changed', suspect])
}
