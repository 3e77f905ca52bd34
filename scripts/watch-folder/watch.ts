import { FACTS_TOO_LARGE, type Outcome, outcomeOfFailure, readOutcome, reasonText } from './answers.ts'
import { ChangedError, type Server } from './exchange.ts'
import { finishMoves, hashFacts, moveAway, type Sent, sha256Of } from './move.ts'
import { type Candidate, contentOf, FACTS_SUFFIX, MAX_FACTS_BYTES, openInside, scanFolder } from './scan.ts'
import { hashFile, sendDocument } from './send.ts'
import { sendInParts } from './send-in-parts.ts'

export type WatchSettings = {
  /** The real path of the folder, without links. */
  root: string
  server: Server
  /** In how many polls in a row a document must be the same before it is sent. */
  stablePolls: number
  /** Larger documents are sent in requests of this many bytes, and continue where one was cut. */
  maxRequestBytes: number
  /** The first wait after a failure; it doubles up to `MAX_WAIT_MS`. */
  retryMs: number
  /** Takes lines for the operator: counts and codes, never the name of a file. */
  log: (line: string) => void
}

const MAX_WAIT_MS = 300_000
const SENT_AT_A_TIME = 2

/**
 * Returns a function that scans the folder once, sends what is ready and moves what was answered. It keeps nothing
 * that a restart would miss: the folder says what is to be sent, and the server knows what it has.
 */
export function createWatch(settings: WatchSettings): () => Promise<void> {
  const { root, stablePolls, retryMs, log } = settings
  let seen = new Map<string, { signature: string; polls: number }>()
  const failed = new Map<string, { times: number; notBefore: number }>()
  const logged = new Map<string, string>()
  let serverFailures = 0
  let serverNotBefore = 0
  let mustFinishMoves = true

  const wait = (times: number, atLeastMs = 0) =>
    performance.now() + Math.min(MAX_WAIT_MS, Math.max(retryMs * 2 ** (times - 1), atLeastMs))

  /** Logs what lasts when it begins and when it changes, not at each poll. */
  const logOnce = (subject: string, line: string) => {
    if (line && logged.get(subject) !== line) log(line)
    logged.set(subject, line)
  }

  const postpone = (path: string) => {
    const times = (failed.get(path)?.times ?? 0) + 1
    failed.set(path, { times, notBefore: wait(times) })
  }

  function selectReady(candidates: readonly Candidate[]): Candidate[] {
    const before = seen
    seen = new Map(
      candidates.map(({ path, signature }) => {
        const last = before.get(path)
        return [path, { signature, polls: last?.signature === signature ? last.polls + 1 : 1 }]
      }),
    )
    for (const path of failed.keys()) if (!seen.has(path)) failed.delete(path)
    const now = performance.now()
    return candidates
      .filter(({ path }) => seen.get(path)!.polls >= stablePolls && (failed.get(path)?.notBefore ?? 0) <= now)
      .sort((one, other) => (failed.get(one.path)?.times ?? 0) - (failed.get(other.path)?.times ?? 0))
  }

  function noteServer(outcome: Outcome) {
    if (outcome.kind === 'later') {
      if (!outcome.isOfServer) return
      serverFailures++
      serverNotBefore = wait(serverFailures, outcome.waitMs)
      logOnce('server', `${outcome.trouble} Fișierele rămân în folder; se încearcă din nou.`)
    } else {
      if (serverFailures > 0) log('Serverul primește din nou.')
      serverFailures = 0
      logged.delete('server')
    }
  }

  return async function poll() {
    if (mustFinishMoves) await finishMoves(root)
    mustFinishMoves = false
    const { candidates, orphanFacts, unreadable } = await scanFolder(root)
    const ready = selectReady(candidates)
    const refused = new Map<string, number>()
    const localCodes = new Set<string>()
    let accepted = 0

    const handle = async (candidate: Candidate) => {
      try {
        const { outcome, sent } = await sendCandidate(settings, candidate)
        noteServer(outcome)
        if (outcome.kind === 'later') return postpone(candidate.path)
        const refusal = outcome.kind === 'refused' ? outcome.refusal : null
        if (!(await moveAway(root, sent, refusal && reasonText(candidate.path, refusal)))) return
        if (refusal) refused.set(refusal.code, (refused.get(refusal.code) ?? 0) + 1)
        else accepted++
      } catch (error) {
        if (error instanceof ChangedError) return
        const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
        // It was taken out of the folder meanwhile.
        if (code === 'ENOENT') return
        mustFinishMoves = true
        localCodes.add(code)
        postpone(candidate.path)
      }
    }
    const work = async () => {
      while (performance.now() >= serverNotBefore) {
        const next = ready.shift()
        if (!next) return
        await handle(next)
      }
    }
    await Promise.all(Array.from({ length: SENT_AT_A_TIME }, work))

    if (accepted) log(`Fișiere preluate: ${accepted}.`)
    for (const [code, count] of refused) {
      log(`Fișiere refuzate: ${count} (${code}). Motivul este lângă fiecare, în refuzate/.`)
    }
    for (const code of localCodes) {
      logOnce(code, `Un fișier nu poate fi citit sau mutat (${code}). Rămâne în folder; se încearcă din nou.`)
    }
    logOnce('unreadable', unreadable ? `Fișiere sau foldere care nu pot fi citite: ${unreadable}.` : '')
    logOnce(
      'orphans',
      orphanFacts ? `Fișiere de date fără document alături: ${orphanFacts}. Așteaptă documentul.` : '',
    )
  }
}

/** Sends a document with its facts. The outcome is of exactly the bytes that `sent` describes. */
async function sendCandidate(
  { root, server, maxRequestBytes }: WatchSettings,
  { path, hasFacts }: Candidate,
): Promise<{ outcome: Outcome; sent: Sent }> {
  const { handle, stats } = await openInside(root, path)
  try {
    const factsSha256 = await hashFacts(root, path)
    const sent = { path, stats, factsSha256 }
    const facts = hasFacts ? await readFacts(root, path) : null
    if (facts === 'too-large') return { sent, outcome: { kind: 'refused', refusal: FACTS_TOO_LARGE } }
    const isUnchanged = async () =>
      contentOf(await handle.stat({ bigint: true })) === contentOf(stats) &&
      (await hashFacts(root, path)) === factsSha256
    if ((facts && sha256Of(facts)) !== factsSha256) throw new ChangedError()
    const document = { path, handle, size: Number(stats.size), sha256: await hashFile(handle), facts }
    const sending =
      document.size > maxRequestBytes
        ? sendInParts(server, document, isUnchanged, maxRequestBytes)
        : sendDocument(server, document, isUnchanged)
    const outcome = await sending.then(
      (answer) => readOutcome(answer, document.sha256),
      (error) => {
        if (error instanceof ChangedError) throw error
        return outcomeOfFailure(error)
      },
    )
    return { sent, outcome }
  } finally {
    await handle.close()
  }
}

async function readFacts(root: string, path: string): Promise<Buffer | 'too-large'> {
  const { handle, stats } = await openInside(root, path + FACTS_SUFFIX)
  try {
    return stats.size > MAX_FACTS_BYTES ? 'too-large' : await handle.readFile()
  } finally {
    await handle.close()
  }
}
