import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Db, openDatabase } from '../server/platform/database/database.ts'
import { openDiskStorage } from '../server/platform/storage/disk-storage.ts'
import type { Storage } from '../server/platform/storage/storage.ts'
import { parseCnp } from '../shared/romania/cnp.ts'
import { createDatabase } from '../test/databases.ts'
import {
  makeCategory,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from './factories.ts'

let db: Db
let storage: Storage
let end: () => Promise<void>

beforeAll(async () => {
  const { connection, drop } = await createDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'dosar-factories-'))
  db = openDatabase(connection, () => undefined)
  storage = await openDiskStorage(folder)
  end = async () => {
    await db.destroy()
    await drop()
    await rm(folder, { recursive: true, force: true })
  }
})
afterAll(() => end())

it('makes many rows of each kind without a conflict', async () => {
  for (let i = 0; i < 3; i += 1) {
    const institution = await makeInstitution(db)
    await makeUser(db, { role: 'institution', institutionIds: [institution.id] })
    const patient = await makePatient(db)
    await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
    await makeCategory(db)
  }
  expect(await db.selectFrom('user_institution').selectAll().execute()).toHaveLength(3)
})

it('makes a patient whose CNP agrees with the given birth date and sex, found by every two words of the name', async () => {
  const patient = await makePatient(db, {
    surname: 'Țîrlea-Popa',
    given_names: 'Ion',
    previous_surname: 'Matei',
    sex: 'male',
    birth_date: '1971-02-03',
  })
  expect(parseCnp(patient.cnp!)).toMatchObject({ ok: true, sex: 'male', birthDate: '1971-02-03' })
  const pairs = await db
    .selectFrom('patient_name_pair')
    .selectAll()
    .where('patient_id', '=', patient.id)
    .execute()
  const words = pairs.map(({ first_word, second_word }) => `${first_word} ${second_word}`.trim())
  expect(words).toContain('ion popa')
  expect(words).toContain('matei tirlea')
  expect(words).toContain('tarlea')
  expect((await makePatient(db, { cnp: null })).cnp).toBeNull()
})

it('makes an upload whose file is stored', async () => {
  const upload = await makeUpload(db, storage)
  expect(upload.state).toBe('in_review')
  expect(upload.released_at).toBeNull()
  const [file] = upload.files
  const bytes = await buffer(await storage.read(file!.storage_key))
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.length).toBe(file!.size)
})

it('makes a released upload of given files, and one without a patient', async () => {
  const since = new Date('2026-03-01T10:00:00Z')
  const files = [
    { bytes: Buffer.from('unu'), name: 'unu.txt', type: 'text/plain', kind: 'other' as const },
    {
      bytes: Buffer.from('doi'),
      name: 'doi.txt',
      type: 'text/plain',
      kind: 'other' as const,
      facts: { lines: 1 },
    },
  ]
  const released = await makeUpload(db, storage, { state: 'released', state_since: since, files })
  expect(released.released_at).toEqual(since)
  expect(released.files.map(({ name, position, page_count }) => [name, position, page_count])).toEqual([
    ['unu.txt', 0, null],
    ['doi.txt', 1, null],
  ])
  expect(released.files[1]!.facts).toEqual({ lines: 1 })
  expect(
    (await makeUpload(db, storage, { state: 'unassigned', patient_id: null, files: [] })).patient_id,
  ).toBeNull()
})
