import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { tooManyConcurrent } from '../throttle/run-exclusive.ts'

const derive = promisify(argon2)

/** argon2id as OWASP asks at the least: 19 MiB, two passes, one lane. */
const HASH_COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
/** One hash takes a core and 19 MiB: two at a time leave the rest of the server its turn. */
const MAX_CONCURRENT_HASHES = 2
const MAX_QUEUED_HASHES = 50
/** Of those that wait, at most so many from one place: it cannot keep everybody else out. */
const MAX_QUEUED_PER_NETWORK = 8

let running = 0
const waiting: { from: string | null; start: () => void }[] = []

const isFull = (from: string | null): boolean =>
  waiting.length >= MAX_QUEUED_HASHES ||
  (from !== null && waiting.filter((other) => other.from === from).length >= MAX_QUEUED_PER_NETWORK)

async function runQueued<T>(from: string | null, work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT_HASHES) {
    if (isFull(from)) throw tooManyConcurrent()
    await new Promise<void>((start) => waiting.push({ from, start }))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    // The place is handed on, not given back, while somebody waits for it.
    const next = waiting.shift()
    if (next) next.start()
    else running -= 1
  }
}

const tag = (
  password: string,
  nonce: Buffer,
  cost: { memory: number; passes: number; parallelism: number },
  from: string | null,
) =>
  runQueued(from, () =>
    derive('argon2id', {
      message: password.normalize('NFKC'),
      nonce,
      tagLength: HASH_COST.tagLength,
      ...cost,
    }),
  )

/**
 * The password as a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash` (RFC 9106). `from`: the network or the person that
 * asks, null for the product itself. TOO_MANY where too many wait already, of that one or in all.
 */
export async function hashPassword(password: string, from: string | null = null): Promise<string> {
  const salt = randomBytes(16)
  const hash = Buffer.from(await tag(password, salt, HASH_COST, from))
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${HASH_COST.memory},t=${HASH_COST.passes},p=${HASH_COST.parallelism}$${text(salt)}$${text(hash)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Something to compare with where there is no account: the answer must take as long. */
const DUMMY_HASH = await hashPassword(randomBytes(16).toString('hex'))

/**
 * Whether the password is the stored one; `stored` null (no such account, no password yet) takes the same time. `from` and
 * TOO_MANY as with `hashPassword`.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  from: string | null = null,
): Promise<boolean> {
  const services = PHC.exec(stored ?? DUMMY_HASH)
  if (!services) throw new Error('a stored password has an unknown form')
  const [, memory, passes, parallelism, salt, hash] = services
  const expected = Buffer.from(hash!, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const actual = Buffer.from(await tag(password, Buffer.from(salt!, 'base64'), cost, from))
  return actual.length === expected.length && timingSafeEqual(actual, expected) && stored !== null
}
