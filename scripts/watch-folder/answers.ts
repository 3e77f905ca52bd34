import { basename } from 'node:path/posix'
import type { Answer } from './exchange.ts'

/** Why a document was moved to the refused ones: a code for programs and a sentence for people. */
export type Refusal = { code: string; message: string }

/** What became of a document: accepted, refused for good, or to be sent again once the server can take it. */
export type Outcome =
  | { kind: 'accepted' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'later'; trouble: string; isOfServer: boolean; waitMs: number }

/** Answers that concern this document and that repeating cannot change. Those about the key or the address do not. */
const REFUSED_STATUSES = new Set([413, 415, 422])
/** Answers that concern this document and that another attempt can change: others can be sent meanwhile. */
const REPEATED_STATUSES = new Set([400, 409, 423, 460])

export function readOutcome(answer: Answer, sha256: string): Outcome {
  const { status, code, message } = answer
  if ((status === 200 || status === 201) && answer.sha256 === sha256) return { kind: 'accepted' }
  if ((status === 200 || status === 201) && answer.sha256) return { kind: 'refused', refusal: OTHER_CONTENT }
  // The page of a proxy has no code: it says nothing about the document.
  const isRefused =
    REFUSED_STATUSES.has(status) ||
    // Without a field it is about the request: it broke off on the way.
    (status === 400 && answer.hasFields) ||
    (status === 409 && code === 'IDEMPOTENCY_CONFLICT')
  if (code && isRefused) return { kind: 'refused', refusal: { code: `${status} ${code}`, message } }
  return {
    kind: 'later',
    trouble: describeTrouble(status, code),
    isOfServer: !REPEATED_STATUSES.has(status),
    waitMs: answer.retryAfterMs,
  }
}

/** A connection that broke says nothing about the document. */
export const outcomeOfFailure = (error: unknown): Outcome => ({
  kind: 'later',
  trouble: `Serverul nu răspunde (${(error as NodeJS.ErrnoException).code ?? 'UNKNOWN'}).`,
  isOfServer: true,
  waitMs: 0,
})

const OTHER_CONTENT: Refusal = {
  code: 'OTHER_CONTENT',
  message: 'Serverul confirmă alt conținut decât cel trimis. Trebuie anunțat administratorul.',
}

export const FACTS_TOO_LARGE: Refusal = {
  code: 'FACTS_TOO_LARGE',
  message: 'Fișierul de date de lângă document are peste 64 KB.',
}

function describeTrouble(status: number, code: string): string {
  const answer = `răspuns ${status}${code ? ` ${code}` : ''}`
  if (status === 401) return `Cheia integrării nu este acceptată (${answer}). De verificat: DOSAR_INTAKE_KEY.`
  if (status === 403) return `Integrarea nu are voie să trimită de pe acest calculator (${answer}).`
  if (status === 429) return `Serverul cere o pauză (${answer}).`
  if (status === 409 || status === 423) return `Același document este deja în curs de trimitere (${answer}).`
  if (status === 400 || status === 460) return `Un document nu a ajuns întreg (${answer}).`
  if (status >= 500) return `Serverul nu poate primi acum (${answer}).`
  return `La DOSAR_ADDRESS nu răspunde Dosar (${answer}). De verificat: adresa.`
}

/** Returns the text of the file beside a refused document. */
export const reasonText = (path: string, { code, message }: Refusal): string =>
  `Documentul „${basename(path)}” nu a fost preluat.
Motivul: ${message || 'Serverul nu a indicat motivul.'}
Codul: ${code}
După remedierea problemei, documentul se mută înapoi în folder, cu fișierul de date, dacă are unul.
`
