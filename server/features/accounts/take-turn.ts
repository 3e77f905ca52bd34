import { Refusal } from '../../errors.ts'

/** Those of one key that may be under way or waiting. */
const LONGEST = 50

const lines = new Map<string, { length: number; last: Promise<unknown> }>()

/** Does the works of one key one after another, as they came; of different keys at once. TOO_MANY where the line is long. */
export async function takeTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(key) ?? { length: 0, last: Promise.resolve() }
  if (line.length >= LONGEST) throw tooManyAtOnce()
  lines.set(key, line)
  line.length += 1
  const turn = line.last.then(work)
  line.last = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    line.length -= 1
    if (line.length === 0) lines.delete(key)
  }
}

export const tooManyAtOnce = () =>
  new Refusal(
    'TOO_MANY',
    'too many passwords to check at once',
    'Prea multe autentificări deodată. Încearcă din nou.',
  )
