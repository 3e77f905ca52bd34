import { expect, it } from 'vitest'
import { UserError } from '../../../errors.ts'
import { hashPassword, verifyPassword } from './password.ts'

const PASSWORD = 'un drum lung spre casă'

it('hashes a password with salted argon2id at the cost that OWASP recommends', async () => {
  const [first, second] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)]
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(second).not.toBe(first)
})

it('verifies a password in any Unicode normalisation form and rejects any other', async () => {
  const stored = await hashPassword(PASSWORD)
  expect(await verifyPassword(PASSWORD, stored)).toBe(true)
  expect(await verifyPassword(PASSWORD.normalize('NFD'), stored)).toBe(true)
  for (const other of ['', `${PASSWORD} `, PASSWORD.toUpperCase(), PASSWORD.slice(0, -1)]) {
    expect(await verifyPassword(other, stored)).toBe(false)
  }
  expect(await verifyPassword(PASSWORD, null)).toBe(false)
})

it('rejects hashes beyond a queue of 50 and completes the others', async () => {
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => verifyPassword(PASSWORD, null)))
  const rejected = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(rejected).toHaveLength(8)
  expect(rejected.every((reason) => reason instanceof UserError && reason.code === 'TOO_MANY')).toBe(true)
  expect(await verifyPassword(PASSWORD, null)).toBe(false)
})

it('queues at most eight hashes of one network, so that other networks are served (A01)', async () => {
  const compare = (from: string, times: number) =>
    Promise.allSettled(Array.from({ length: times }, () => verifyPassword(PASSWORD, null, from)))
  const outcomes = await Promise.all([compare('203.0.113.9', 70), compare('203.0.113.10', 8)])
  const done = outcomes.map((results) => results.filter(({ status }) => status === 'fulfilled').length)
  expect(done).toEqual([10, 8])
})
