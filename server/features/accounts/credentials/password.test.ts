import { expect, it } from 'vitest'
import { UserError } from '../../../errors.ts'
import { hashPassword, verifyPassword } from './password.ts'

const PASSWORD = 'un drum lung spre casă'

it('keeps a password as salted argon2id with the cost that OWASP asks for', async () => {
  const [first, second] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)]
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(second).not.toBe(first)
})

it('knows the password again, however its letters were typed, and no other', async () => {
  const stored = await hashPassword(PASSWORD)
  expect(await verifyPassword(PASSWORD, stored)).toBe(true)
  expect(await verifyPassword(PASSWORD.normalize('NFD'), stored)).toBe(true)
  for (const other of ['', `${PASSWORD} `, PASSWORD.toUpperCase(), PASSWORD.slice(0, -1)]) {
    expect(await verifyPassword(other, stored)).toBe(false)
  }
  expect(await verifyPassword(PASSWORD, null)).toBe(false)
})

it('refuses the ones that find 50 waiting, and serves all others', async () => {
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => verifyPassword(PASSWORD, null)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(8)
  expect(refused.every((reason) => reason instanceof UserError && reason.code === 'TOO_MANY')).toBe(true)
  expect(await verifyPassword(PASSWORD, null)).toBe(false)
})

it('lets eight of one network wait at the most, so that another has its places (A01)', async () => {
  const compare = (from: string, times: number) =>
    Promise.allSettled(Array.from({ length: times }, () => verifyPassword(PASSWORD, null, from)))
  const tries = await Promise.all([compare('203.0.113.9', 70), compare('203.0.113.10', 8)])
  const done = tries.map((results) => results.filter(({ status }) => status === 'fulfilled').length)
  expect(done).toEqual([10, 8])
})
