import type { KeyObject } from 'node:crypto'
import type { ChainFault } from '../../../shared/audit/chain-faults.ts'
import type { Checkpoint } from '../../platform/crypto/checkpoints.ts'
import { CHAIN_START, chainHash } from './chain-hash.ts'

/**
 * A seal as it is stored, with its entry in canonical form; null where the entry is gone. `at`: when that was written,
 * in milliseconds.
 */
export type ChainLink = {
  position: number
  entryId: string
  hash: Buffer
  entry: string | null
  at: number
}

/** A link whose hash does not fit, and the hash that stands before it. */
type Suspect = ChainLink & { entry: string; previous: Buffer }

/** Suspects that are kept to be told apart, and faults that are told one by one. */
const MAX_SUSPECTS = 100
/** So many entries taken out, with the rest moved up, are recognised as such. */
const MAX_SHIFT = 20
/** Milliseconds by which an entry may be older than one before it: transactions end in another order, clocks are set. */
const CLOCK_TOLERANCE_MS = 60 * 60 * 1000

/**
 * Reads the chain link by link, from the first one on, and finds what does not fit. Each link is judged by the hash that is
 * stored before it, so that one change is one fault and not a fault at everything after it.
 *
 * Takes the anchors as they were before the chain was read, and how far (`reached`) it once went by what the journal says.
 */
export function createChainReader(key: KeyObject, anchors: readonly Checkpoint[], reached: number) {
  const { anchored, contradicted } = sortCheckpoints(anchors)
  const faults: ChainFault[] = []
  const suspects: Suspect[] = []
  let count = 0
  let last: ChainLink = { position: 0, entryId: '', hash: CHAIN_START, entry: null, at: 0 }
  /** The one before `last`. */
  let earlier = last
  /** How far the links stand behind the place they were sealed for. */
  let shift = 0
  let isRewritten = false
  let unlisted = 0
  /** When the latest of the entries so far was written. */
  let latest = Number.NEGATIVE_INFINITY

  const found = (kind: ChainFault['kind'], { entryId, position }: ChainLink, how = 1) => {
    if (faults.length < MAX_SUSPECTS) faults.push({ kind, entryId, position, count: how })
    else unlisted += 1
  }
  const takeBackSuspect = () => {
    if (suspects.at(-1)?.position === last.position) suspects.pop()
  }

  /** What was slipped in with a date of long ago is sealed as if the product had written it. */
  const judgeTime = (link: ChainLink) => {
    if (link.at < latest - CLOCK_TOLERANCE_MS) found('backdated', link)
    latest = Math.max(latest, link.at)
  }

  const judge = (link: ChainLink) => {
    const place = link.position - shift
    const { entry } = link
    const gap = link.position - last.position - 1
    if (gap > 0) found('missing', link, gap)
    if (entry === null) return found('deleted', link)
    // What stood before is gone with its hash.
    if (gap > 0) return
    const fits = (previous: Buffer, position: number) =>
      chainHash(key, previous, position, entry).equals(link.hash)
    if (fits(last.hash, place)) return judgeTime(link)
    if (suspects.length >= MAX_SUSPECTS) {
      unlisted += 1
      return
    }
    if (last.position > 0 && fits(earlier.hash, place - 1)) {
      takeBackSuspect()
      found('inserted', last)
      shift += 1
      return
    }
    for (let gone = 1; gone <= MAX_SHIFT; gone += 1) {
      if (!fits(last.hash, place + gone)) continue
      takeBackSuspect()
      found('missing', last, gone)
      shift -= gone
      return
    }
    suspects.push({ ...link, entry, previous: last.hash })
  }

  return {
    read: (link: ChainLink) => {
      count += 1
      judge(link)
      const hash = anchored.get(link.position)
      const isOther = hash !== undefined && hash !== link.hash.toString('hex')
      if (!isRewritten && (isOther || contradicted.has(link.position))) {
        isRewritten = true
        found('rewritten', link)
      }
      earlier = last
      last = link
    },
    /** Ends the reading. Faults stand in the order of the chain. */
    finish: (): { count: number; position: number; faults: ChainFault[] } => {
      for (const [kind, suspect] of classifySuspects(key, suspects)) found(kind, suspect)
      const ahead = anchors.reduce((most, { position }) => Math.max(most, position), reached) - last.position
      faults.sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
      if (ahead > 0) {
        faults.push({ kind: 'cut', entryId: last.entryId || null, position: last.position, count: ahead })
      }
      if (unlisted > 0) faults.push({ kind: 'more', entryId: null, position: null, count: unlisted })
      return { count, position: last.position, faults }
    },
  }
}

/** The first hash that was signed for each place, and the places for which another one was signed later. */
function sortCheckpoints(anchors: readonly Checkpoint[]) {
  const anchored = new Map<number, string>()
  const contradicted = new Set<number>()
  for (const { position, hash } of anchors) {
    const first = anchored.get(position)
    if (first === undefined) anchored.set(position, hash)
    else if (first !== hash) contradicted.add(position)
  }
  return { anchored, contradicted }
}

/** Entries that only changed places are told as such: each then fits where the other one stands. */
function classifySuspects(key: KeyObject, suspects: readonly Suspect[]): [ChainFault['kind'], Suspect][] {
  const moved = new Set<Suspect>()
  const innocent = new Set<Suspect>()
  for (const one of suspects) {
    for (const other of suspects) {
      if (one === other) continue
      const rightful = chainHash(key, one.previous, one.position, other.entry)
      if (rightful.equals(one.hash) || rightful.equals(other.hash)) {
        moved.add(one)
        moved.add(other)
      }
      // Only the hash before it was another one.
      if (chainHash(key, other.hash, one.position, one.entry).equals(one.hash)) innocent.add(one)
    }
  }
  return suspects
    .filter((suspect) => moved.has(suspect) || !innocent.has(suspect))
    .map((suspect) => [moved.has(suspect) ? 'reordered' : 'changed', suspect])
}
