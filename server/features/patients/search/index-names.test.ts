import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePatient } from '../../../../db/factories.ts'
import { namePairs } from '../../../../shared/romania/names.ts'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
import { createSystemContext } from '../../../context.ts'
import { indexNames } from './index-names.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
})

const NEW_WORDS = ['anamaria', 'oconnor', 'mueller', 'connorana', 'oconnorana']

/** Makes a patient as one from before the migration, without the new entries. */
async function makeEarlier(surname: string, given_names: string) {
  const patient = await makePatient(server.db, { surname, given_names })
  await server.db
    .deleteFrom('patient_name_pair')
    .where('patient_id', '=', patient.id)
    .where((eb) => eb.or([eb('first_word', 'in', NEW_WORDS), eb('second_word', 'in', NEW_WORDS)]))
    .execute()
  return patient
}

const pairsOf = async (id: string) =>
  (
    await server.db
      .selectFrom('patient_name_pair')
      .select(['first_word', 'second_word'])
      .where('patient_id', '=', id)
      .orderBy('first_word')
      .orderBy('second_word')
      .execute()
  ).map(({ first_word, second_word }) => `${first_word} ${second_word}`)

const wantedOf = (surname: string, given: string) =>
  namePairs([surname, given]).map(({ firstWord, secondWord }) => `${firstWord} ${secondWord}`)

it('adds what names from before lack, once, and ends', async () => {
  const { db } = server
  const ana = await makeEarlier('O’Connor', 'Ana Maria')
  const eva = await makeEarlier('Müller', 'Eva')
  const ion = await makeEarlier('Popa', 'Ion')
  const newer = await makeEarlier('Schütz', 'Ana-Maria')
  await db
    .insertInto('name_indexing')
    .values({ done_to: '00000000-0000-0000-0000-000000000000', last_id: ion.id })
    .execute()
  expect(await pairsOf(ana.id)).not.toContain('anamaria ')

  for (let run = 0; run < 2; run += 1) {
    await indexNames(createSystemContext(server.services))
    expect(await pairsOf(ana.id)).toEqual(wantedOf('O’Connor', 'Ana Maria').sort())
    expect(await pairsOf(eva.id)).toEqual(wantedOf('Müller', 'Eva').sort())
    expect(await pairsOf(ion.id)).toEqual(wantedOf('Popa', 'Ion').sort())
    // It was stored by the new rules.
    expect(await pairsOf(newer.id)).not.toContain('anamaria ')
    expect(await db.selectFrom('name_indexing').selectAll().execute()).toEqual([])
  }
})
