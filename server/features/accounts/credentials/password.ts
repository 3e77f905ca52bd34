import cluster from 'node:cluster'
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createSlots } from '../../../platform/slots.ts'
import { tooManyConcurrent } from '../throttle/run-exclusive.ts'

const derive = promisify(argon2)

/** The minimum that OWASP recommends for argon2id: 19 MiB, two passes, one lane. */
const HASH_COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
/** One hash occupies a core and 19 MiB: two at a time, or one in each worker, leave capacity for the rest of the server. */
const MAX_CONCURRENT_HASHES = cluster.isWorker ? 1 : 2
const MAX_QUEUED_HASHES = 50
/** Queued hashes allowed from one network or user, so that one source cannot block everyone else. */
const MAX_QUEUED_PER_NETWORK = 8

const runQueued = createSlots<string | null>(MAX_CONCURRENT_HASHES, (from, waiting) => {
  const isFull =
    waiting.length >= MAX_QUEUED_HASHES ||
    (from !== null && waiting.filter((other) => other === from).length >= MAX_QUEUED_PER_NETWORK)
  if (isFull) throw tooManyConcurrent()
})

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
 * Returns the password as a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash` (RFC 9106). `from` is the
 * network or user that sends the request, null for the product itself. Throws TOO_MANY if too many hashes are
 * queued, in total or from this source.
 */
export async function hashPassword(password: string, from: string | null = null): Promise<string> {
  const salt = randomBytes(16)
  const hash = Buffer.from(await tag(password, salt, HASH_COST, from))
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${HASH_COST.memory},t=${HASH_COST.passes},p=${HASH_COST.parallelism}$${text(salt)}$${text(hash)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Compared with when there is no account, so that the response takes the same time. */
const DUMMY_HASH = await hashPassword(randomBytes(16).toString('hex'))

/**
 * Returns whether the password matches the stored hash; null as `stored` (no account or no password yet)
 * takes the same time and returns false. `from` is the network or user that sends the request. Throws
 * TOO_MANY if too many hashes are queued, in total or from this source.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  from: string | null = null,
): Promise<boolean> {
  const match = PHC.exec(stored ?? DUMMY_HASH)
  if (!match) throw new Error('a stored password hash has an unknown format')
  const [, memory, passes, parallelism, salt, hash] = match
  const expected = Buffer.from(hash!, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const actual = Buffer.from(await tag(password, Buffer.from(salt!, 'base64'), cost, from))
  return actual.length === expected.length && timingSafeEqual(actual, expected) && stored !== null
}
