import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../../errors.ts'

const derive = promisify(argon2)

/** argon2id as OWASP asks at the least: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
/** One hash takes a core and 19 MiB: two at a time leave the rest of the server its turn. */
const AT_ONCE = 2
const QUEUE = 50

const tooManyAtOnce = () =>
  new Refusal(
    'TOO_MANY',
    'too many passwords to check at once',
    'Prea multe autentificări deodată. Încearcă din nou.',
  )

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= QUEUE) throw tooManyAtOnce()
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    // The place is handed on, not given back, while somebody waits for it.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const tag = (
  password: string,
  nonce: Buffer,
  cost: { memory: number; passes: number; parallelism: number },
) =>
  inTurn(() =>
    derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength: COST.tagLength, ...cost }),
  )

/** The password as a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash` (RFC 9106). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = Buffer.from(await tag(password, salt, COST))
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${text(salt)}$${text(hash)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Something to compare with where there is no account: the answer must take as long. */
const NOBODY = await hashPassword(randomBytes(16).toString('hex'))

/** Whether the password is the stored one; `stored` null (no such account, no password yet) takes the same time. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parts = PHC.exec(stored ?? NOBODY)
  if (!parts) throw new Error('a stored password has an unknown form')
  const [, memory, passes, parallelism, salt, hash] = parts
  const expected = Buffer.from(hash!, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const actual = Buffer.from(await tag(password, Buffer.from(salt!, 'base64'), cost))
  return actual.length === expected.length && timingSafeEqual(actual, expected) && stored !== null
}
