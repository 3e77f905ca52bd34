import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUser } from '../../../db/factories.ts'
import { PATIENT_IMPORTS_PATH } from '../../../shared/imports/patient-imports.ts'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import { makeZip } from '../../../test/hostile-files.ts'
import {
  ALLOW,
  CHECK,
  LINES,
  READ_IMPORT,
  REMOVE,
  REREAD,
  START,
  STOP,
  sendImport,
} from '../../../test/imports/send-import.ts'
import { makeSheet } from '../../../test/inspection/office-files.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createSystemContext } from '../../context.ts'
import { deleteOldImports, resumeImports } from './resume-imports.ts'
import { workOnImport } from './work-on-import.ts'

let server: TestServer
let staff: TestClient

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  staff = await server.signIn((await makeUser(server.db)).email)
})

let serial = 0
/** Returns a CNP that no other row has, and the birth date in it. */
function person(sex: 'female' | 'male' = 'female') {
  serial += 1
  const birthDate = new Date(Date.UTC(1940, 0, serial * 17)).toISOString().slice(0, 10)
  return { birthDate, cnp: makeCnp({ sex, birthDate, county: 12, serial: 100 + (serial % 800) }) }
}

/** Sends a file and has it read; returns the import. */
async function read(name: string, bytes: string | Uint8Array, client = staff) {
  const response = await sendImport(client, name, bytes)
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as { id: string }
  await server.runJobs()
  return (await client.runQuery(READ_IMPORT, { id })).patientImport
}

const csv = (...rows: readonly string[]): string => rows.join('\r\n')

type Found = Awaited<ReturnType<typeof read>>
async function check(found: Found, over: Record<string, unknown> = {}): Promise<Found> {
  const { id, version, columns } = found
  await staff.runQuery(CHECK, { id, version, columns, overwrites: false, ...over })
  await server.runJobs()
  return (await staff.runQuery(READ_IMPORT, { id })).patientImport
}
async function start({ id, version }: Found): Promise<Found> {
  await staff.runQuery(START, { id, version })
  await server.runJobs()
  return (await staff.runQuery(READ_IMPORT, { id })).patientImport
}
type Line = {
  line: number
  outcome: string
  problems: { code: string; field: string | null; message: string }[]
  changes: { field: string; from: string | null; to: string | null }[]
  patient: { id: string } | null
  sameLine: number | null
}
const lines = async ({ id }: Found, outcome?: string): Promise<Line[]> =>
  (await staff.runQuery(LINES, { importId: id, outcome, first: 100 })).patientImportLines.nodes
const outcomes = async (found: Found) => (await lines(found)).map(({ outcome }) => outcome)
const codes = async (found: Found) =>
  (await lines(found)).map(({ problems }) => problems.map(({ code }) => code).join(' '))
const counts = (rows: { outcome: string; rows: number }[]) =>
  Object.fromEntries(
    rows.filter(({ rows: count }) => count > 0).map(({ outcome, rows: count }) => [outcome, count]),
  )
const withCnp = (cnp: string) =>
  server.db.selectFrom('patient').selectAll().where('cnp', '=', cnp).executeTakeFirst()

describe('reading a file of patients', () => {
  const LETTERS = 'Țăranu Ștefan'
  it.each([
    ['UTF-8', Buffer.from('Nume;Prenume\nȚăranu;Ștefan'), 'utf-8'],
    ['a byte order mark', Buffer.from('\uFEFFNume;Prenume\nȚăranu;Ștefan'), 'utf-8'],
    ['UTF-16', Buffer.from('\uFEFFNume\tPrenume\nȚăranu\tȘtefan', 'utf16le'), 'utf-16le'],
    // Ţ, ă, ş: the letters of code page 1250 have a cedilla.
    ['windows-1250', Buffer.from('Nume,Prenume\n\xde\xe3ranu,\xaatefan', 'latin1'), 'windows-1250'],
  ])('recognises %s and the separator', async (_title, bytes, encoding) => {
    const found = await read('pacienți.csv', bytes)
    expect(found).toMatchObject({ state: 'read', encoding, rowCount: 1, columns: ['surname', 'givenNames'] })
    expect(found.preview[0].join(' ').replace('Ţ', 'Ț').replace('ª', 'Ș').replace('Ş', 'Ș')).toBe(LETTERS)
  })

  it('reads a text again in the encoding that a person chooses', async () => {
    const found = await read('a.csv', Buffer.from('Nume;Prenume\nMuşat;Ana', 'latin1'))
    const { id, version } = found
    const again = await staff.runQuery(REREAD, { id, version, encoding: 'utf-8' })
    expect(again.rereadPatientImport).toMatchObject({ state: 'reading' })
    await server.runJobs()
    const { patientImport } = await staff.runQuery(READ_IMPORT, { id })
    expect(patientImport).toMatchObject({ state: 'read', encoding: 'utf-8', rowCount: 1 })
  })

  it('reads a spreadsheet as it reads a text', async () => {
    const { cnp, birthDate } = person()
    const days = Date.parse(`${birthDate}T00:00:00Z`) / 86_400_000 + 25_569
    const sheet = await makeSheet('Foaie1', [
      ['Nume', 'Prenume', 'CNP', 'Data nașterii'],
      ['Popa', 'Ioana', Number(cnp), { date: days }],
    ])
    const found = await read('pacienți.xlsx', sheet)
    expect(found).toMatchObject({
      state: 'read',
      encoding: null,
      preview: [['Popa', 'Ioana', cnp, birthDate]],
    })
    expect(await outcomes(await check(found))).toEqual(['created'])
  })

  it.each([
    ['old-excel', Buffer.from('d0cf11e0a1b11ae1000000', 'hex')],
    ['type', Buffer.from('%PDF-1.7\n')],
    ['type', Buffer.from('<html><table></table></html>')],
    ['empty', Buffer.from('Nume;Prenume\n\n;;\n')],
    ['damaged', Buffer.from('PK\x03\x04 and nothing else', 'latin1')],
    ['damaged', makeZip({ 'a.txt': Buffer.from('no workbook') })],
    ['harmful', makeSheet('Foaie1', [['Nume']], '', { 'xl/media/a.bin': Buffer.alloc(30_000_000) })],
    // Unlike the zeros, the random bytes do not shrink, so that the archive is no bomb.
    [
      'too-large',
      makeSheet('Foaie1', [['Nume']], '', {
        'xl/media/a.bin': randomBytes(4_000_000),
        'xl/media/b.bin': Buffer.alloc(270_000_000),
      }),
    ],
    ['too-many-columns', Buffer.from(`${'a;'.repeat(61)}b\n1\n`)],
  ])('refuses an unreadable file as %s', async (problem, bytes) => {
    expect(await read('fișier', await bytes)).toMatchObject({ state: 'unreadable', problem })
  })

  it('recognises columns by their values where the first row is a person', async () => {
    const { cnp } = person()
    const found = await read('a.csv', csv(`Pop;Ana;${cnp};0722 123 456;ana@exemplu.test`))
    expect(found).toMatchObject({ headings: [], columns: [null, null, 'cnp', 'phone', 'email'], rowCount: 1 })
  })

  it('remembers the chosen columns for the same headings', async () => {
    const file = csv('Familie și;Botez;X', 'Pop;Ana;1', 'Pop;Ion;2')
    const found = await read('a.csv', file)
    expect(found.columns).toEqual([null, null, null])
    await check(found, { columns: ['surname', 'givenNames', null] })
    expect((await read('b.csv', file)).columns).toEqual(['surname', 'givenNames', null])
  })

  it('refuses columns that no patient can be created from', async () => {
    const { id, version } = await read('a.csv', csv('Nume;Prenume', 'Pop;Ana'))
    for (const columns of [
      ['surname', null],
      ['surname', 'surname'],
      ['surname', 'givenNames', 'cnp'],
    ]) {
      const { errors } = await staff.graphql(CHECK, { id, version, columns, overwrites: false })
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    }
  })
})

describe('what the check says of a row', () => {
  const HEAD = 'Nume;Prenume;CNP;Data nașterii;Sex;Telefon;E-mail'
  const checked = async (...rows: readonly string[]) => check(await read('a.csv', csv(HEAD, ...rows)))

  it('names digits that Excel has lost, and guesses none', async () => {
    const found = await checked(
      'Pop;Ana;2.96E+12;;;;',
      'Pop;Bia;"2,96051E+12";;;;',
      'Pop;Eva;2960512000000;;;;',
      'Pop;Ina;;;;722123456;',
      'Pop;Lia;;;;40722123456;',
      'Pop;Mia;;;;7.22E+08;',
    )
    expect(await codes(found)).toEqual(Array(6).fill('lost-digits'))
    expect((await lines(found)).map(({ problems }) => problems[0]!.field)).toEqual([
      ...['cnp', 'cnp', 'cnp', 'phone', 'phone', 'phone'],
    ])
    expect(
      await server.db.selectFrom('patient').select('id').where('given_names', '=', 'Lia').execute(),
    ).toEqual([])
  })

  it('refuses what the form refuses, dates that are unclear, and what contradicts the CNP', async () => {
    const { cnp, birthDate } = person('female')
    const found = await checked(
      ';Ana;;;;;',
      `Pop;Ana;${cnp.slice(0, 12)};;;;`,
      'Pop;Ana;;31.02.1990;;;',
      'Pop;Ana;;1.2.90;;;',
      'Pop;Ana;;35191;;;',
      'Pop;Ana;;;x;;',
      'Pop;Ana;;;;;ana@',
      `Pop;Ana;${cnp};1999-01-01;;;`,
      `Pop;Ana;${cnp};${birthDate};M;;`,
    )
    expect(await codes(found)).toEqual([
      ...['invalid', 'invalid', 'invalid', 'unclear-date', 'unclear-date', 'invalid', 'invalid'],
      ...['contradicts-cnp', 'contradicts-cnp'],
    ])
    expect(counts(found.checked)).toEqual({ refused: 9 })
  })

  it('takes a county by its name or code, and refuses one that does not exist', async () => {
    const people = Array.from({ length: 8 }, () => person())
    const said = [
      ...['CJ', 'jud. Bistrita Nasaud', 'Municipiul București', 'Județul Cluj'],
      ...['jud.Cluj', 'Sector 3', 'București, sector 3', 'Transilvania'],
    ]
    const found = await check(
      await read(
        'judete.csv',
        csv('Nume;Prenume;CNP;Județ', ...people.map(({ cnp }, at) => `Județean;Ana;${cnp};${said[at]}`)),
      ),
    )
    expect((await lines(found)).map(({ problems }) => problems.map(({ message }) => message))).toEqual([
      ...Array.from({ length: 7 }, () => []),
      ['Județul „Transilvania” nu există.'],
    ])
    await start(found)
    const stored = await Promise.all(people.map(async ({ cnp }) => (await withCnp(cnp))?.county))
    expect(stored).toEqual([
      ...['Cluj', 'Bistrița-Năsăud', 'București', 'Cluj'],
      ...['Cluj', 'București', 'București', undefined],
    ])
  })

  it('fills empty fields of a patient, and replaces others only if that is allowed', async () => {
    const { cnp, birthDate } = person()
    const phone = '+40722000111'
    const patient = await makePatient(server.db, {
      surname: 'Șerban',
      given_names: 'Dana',
      cnp,
      phone,
      birth_date: birthDate,
    })
    const rows = [`SERBAN;DANA;${cnp};;;0722 000 111;dana@exemplu.test`]
    const filled = await checked(...rows)
    expect(await lines(filled)).toMatchObject([
      {
        outcome: 'updated',
        patient: { id: patient.id },
        changes: [{ field: 'email', from: null, to: 'dana@exemplu.test' }],
      },
    ])
    const other = [`Șerban;Dana;${cnp};;;0733 000 111;`]
    expect(await codes(await checked(...other))).toEqual(['differs'])
    const allowed = await check(await read('a.csv', csv(HEAD, ...other)), { overwrites: true })
    expect((await lines(allowed))[0]!.changes).toEqual([{ field: 'phone', from: phone, to: '+40733000111' }])
    expect(await codes(await checked(`Ionescu;Vlad;${cnp};;;;`))).toEqual(['other-name'])
    await start(filled)
    expect(await withCnp(cnp)).toMatchObject({
      surname: 'Șerban',
      email: 'dana@exemplu.test',
      phone,
      version: 2,
    })
    expect(await outcomes(await checked(...rows))).toEqual(['same'])
    // The former check of the phone is still true.
    await start(allowed)
    expect(await withCnp(cnp)).toMatchObject({ phone: '+40733000111', version: 3 })
  })

  it('holds likely duplicates until a person says that they are other people', async () => {
    const known = await makePatient(server.db, {
      surname: 'Dumitru',
      given_names: 'Carmen',
      cnp: null,
      birth_date: '1971-04-05',
      phone: '+40744000222',
    })
    const rows = [
      'Dumitru;Carmen;;05.04.1971;;;',
      'Dumitru;Carmen;;05.04.1971;;0744999888;',
      'Dumitru;Alt;;06.07.1980;;0744000222;',
    ]
    const found = await checked(...rows)
    expect(await outcomes(found)).toEqual(['same', 'duplicate', 'created'])
    expect((await lines(found, 'duplicate'))[0]!.patient).toEqual({ id: known.id })
    expect(counts((await start(found)).imported)).toEqual({ same: 1, duplicate: 1, created: 1 })
    const again = await checked(rows[1]!)
    await staff.runQuery(ALLOW, { id: again.id, lines: [2], allowed: true })
    const done = await start(again)
    expect(counts(done.imported)).toEqual({ created: 1 })
    const made = (await lines(done))[0]!.patient!.id
    const distinct = await server.db.selectFrom('patient_distinct').selectAll().execute()
    expect(distinct.map(({ patient_id, other_id }) => [patient_id, other_id].sort())).toContainEqual(
      [known.id, made].sort(),
    )
  })

  it('finds a patient of the same name whose birth date is unknown, or not stated by the row', async () => {
    const surname = { surname: 'Nedatat' }
    const undated = await makePatient(server.db, {
      ...surname,
      given_names: 'Ilie',
      cnp: null,
      birth_date: null,
    })
    const dated = await makePatient(server.db, { ...surname, given_names: 'Ioan', birth_date: '1955-05-05' })
    const found = await checked('Nedatat;Ilie;;05.04.1971;;;', 'Nedatat;Ioan;;;;;')
    expect((await lines(found)).map(({ outcome, patient }) => [outcome, patient?.id])).toEqual([
      ['duplicate', undated.id],
      ['duplicate', dated.id],
    ])
  })

  it('compares the rows of a file with each other', async () => {
    const [one, two] = [person(), person()]
    const found = await checked(
      `Rusu;Elena;${one.cnp};;;0722111222;`,
      `Rusu;Elena;${one.cnp};;;0722 111 222;`,
      `Rusu;Elena;${one.cnp};;;0722999222;`,
      `Rusu;Elena;${two.cnp};;;;`,
      'Lupu;Radu;;01.02.1985;;;',
      'Lupu;Radu;;01.02.1985;;;',
      'Lupu;Radu;;01.02.1985;M;;',
      'Lupu;Radu;;03.02.1985;;;',
      'Lupu;Radu;;;;;',
    )
    expect((await lines(found)).map(({ outcome, sameLine }) => [outcome, sameLine])).toEqual([
      ...[
        ['created', null],
        ['same', 2],
        ['refused', 2],
        ['created', null],
      ],
      ...[
        ['created', null],
        ['same', 6],
        ['duplicate', 6],
        ['created', null],
        ['same', 6],
      ],
    ])
    const done = await start(found)
    expect(done.imported).toEqual(done.checked)
  })

  it('refers the patients of a file to an institution, unless that has ended', async () => {
    const institution = await makeInstitution(server.db)
    const { cnp } = person()
    const [open, ended] = [
      await makePatient(server.db, { surname: 'Deschis' }),
      await makePatient(server.db, { surname: 'Încheiat' }),
    ]
    for (const [{ id }, ended_at] of [
      [open, null],
      [ended, new Date()],
    ] as const)
      await makeReferral(server.db, { patient_id: id, institution_id: institution.id, ended_at })
    const file = csv(
      HEAD,
      `Nou;Ana;${cnp};;;;`,
      `Deschis;Ana-Maria;${open.cnp};;;;`,
      `Încheiat;Ana-Maria;${ended.cnp};;;;`,
    )
    const found = await check(await read('a.csv', file), { institutionId: institution.id })
    expect(await outcomes(found)).toEqual(['created', 'same', 'refused'])
    expect(await codes(found)).toEqual(['', '', 'referral-ended'])
    await start(found)
    const { id } = (await withCnp(cnp))!
    const referrals = await server.db
      .selectFrom('referral')
      .selectAll()
      .where('patient_id', '=', id)
      .execute()
    expect(referrals).toMatchObject([{ institution_id: institution.id, ended_at: null }])
    const suspended = await makeInstitution(server.db, { suspended_at: new Date() })
    const { version, columns } = await read('a.csv', file)
    const { errors } = await staff.graphql(CHECK, {
      id: found.id,
      version,
      columns,
      institutionId: suspended.id,
      overwrites: false,
    })
    expect(errors[0]?.extensions.code).toBe('CONFLICT')
  })

  it('refers the patient of the CNP, also while that one is merged into another and the merge is undone later', async () => {
    const institution = await makeInstitution(server.db)
    const { cnp, birthDate } = person()
    const make = (own: string | null) =>
      makePatient(server.db, { surname: 'Unit', given_names: 'Ana', cnp: own, birth_date: birthDate })
    const [merged, survivor] = [await make(cnp), await make(null)]
    const { mergePatients } = await staff.runQuery(
      `mutation ($survivorId: ID!, $mergedId: ID!) { mergePatients(survivorId: $survivorId, survivorVersion: 1,
        mergedId: $mergedId, mergedVersion: 1) { merges { id } } }`,
      { survivorId: survivor.id, mergedId: merged.id },
    )
    const referredTo = () =>
      server.db
        .selectFrom('referral')
        .select('patient_id')
        .where('institution_id', '=', institution.id)
        .execute()
    const file = csv(HEAD, `Unit;Ana;${cnp};;;;`)
    await start(await check(await read('a.csv', file), { institutionId: institution.id }))
    expect(await referredTo()).toEqual([{ patient_id: survivor.id }])
    await staff.runQuery('mutation ($id: ID!) { undoMerge(id: $id) { survivor { id } } }', {
      id: mergePatients.merges[0].id,
    })
    expect(await referredTo()).toEqual([{ patient_id: merged.id }])
  })

  it('refuses a row about which the check would say something else by now', async () => {
    const [taken, changed] = [person(), person()]
    await makePatient(server.db, {
      surname: 'Matei',
      given_names: 'Ion',
      cnp: changed.cnp,
      birth_date: changed.birthDate,
      email: null,
    })
    const found = await checked(`Matei;Ana;${taken.cnp};;;;`, `Matei;Ion;${changed.cnp};;;;ion@exemplu.test`)
    expect(await outcomes(found)).toEqual(['created', 'updated'])
    await makePatient(server.db, { surname: 'Matei', given_names: 'Ana', cnp: taken.cnp })
    await server.db
      .updateTable('patient')
      .set({ email: 'alt@exemplu.test' })
      .where('cnp', '=', changed.cnp)
      .execute()
    const done = await start(found)
    expect(counts(done.imported)).toEqual({ refused: 2 })
    expect(await codes(done)).toEqual(['changed', 'changed'])
    expect(await withCnp(changed.cnp)).toMatchObject({ email: 'alt@exemplu.test' })
  })

  it('records each patient as a single creation does, and what of whom was shown', async () => {
    const { cnp } = person()
    const found = await start(await checked(`Jurnal;Ana;${cnp};;;;`))
    const { id } = (await withCnp(cnp))!
    await lines(found)
    const events = await server.db.selectFrom('audit_event').selectAll().orderBy('id').execute()
    expect(events.filter(({ patient_id }) => patient_id === id)).toMatchObject([
      { action: 'patient.create', role: 'staff', origin: 'job', subject_id: id },
    ])
    expect(events.filter(({ subject_id }) => subject_id === found.id).map(({ action }) => action)).toEqual([
      'import.create',
      'import.start',
    ])
    expect(events.findLast(({ action }) => action === 'patient.list')?.subject_ids).toEqual([id])
  })
})

describe('a large file', () => {
  const HEAD = 'Nume;Prenume;CNP;Telefon;Data nașterii'
  /** Rows of which about 3 % are refused, and some repeat others. */
  function makeFile(count: number): string {
    const rows = Array.from({ length: count }, (_, place) => {
      const { cnp } = person(place % 2 === 0 ? 'female' : 'male')
      const bad = place % 33 === 7
      const noCnp = place % 10 === 3
      return `Mare${place % 40};Prenume${place % 23};${noCnp ? '' : bad ? cnp.slice(1) : cnp};;${noCnp ? `0${(place % 9) + 1}.05.1960` : ''}`
    })
    return csv(HEAD, ...rows, ...rows.slice(0, 20))
  }

  it('gives the same totals and rows if the server dies at any batch, also in the check', async () => {
    const found = await read('mare.csv', makeFile(580))
    const { id, version, columns } = found
    const ctx = () => createSystemContext(server.services)
    /** Runs the job until its nth commit, where the connection to the database breaks. */
    const runUntil = async (batches: number) => {
      let left = batches
      const db = new Proxy(server.services.db, {
        get: (target, name) => {
          const value = Reflect.get(target, name)
          // The methods of the real object need it as `this`.
          if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
          return () => ({
            execute: (work: (tx: unknown) => Promise<unknown>) =>
              target.transaction().execute(async (tx) => {
                const result = await work(tx)
                left -= 1
                if (left < 0) throw new Error('killed before the commit')
                return result
              }),
          })
        },
      })
      await workOnImport({ ...ctx(), db }, id).catch((error: Error) => {
        if (error.message !== 'killed before the commit') throw error
      })
      server.dropJobs()
      await resumeImports(ctx())
    }
    await staff.runQuery(CHECK, { id, version, columns, overwrites: false })
    for (const batches of [1, 0, 2]) await runUntil(batches)
    await server.runJobs()
    const checked = (await staff.runQuery(READ_IMPORT, { id })).patientImport
    expect(checked.checkedRows).toBe(600)
    await staff.runQuery(START, { id, version: checked.version })
    for (const batches of [0, 1, 2]) await runUntil(batches)
    const stopped = await staff.runQuery(STOP, { id })
    expect(stopped.stopPatientImport.state).toBe('stopped')
    await server.runJobs()
    const half = (await staff.runQuery(READ_IMPORT, { id })).patientImport
    expect(half.importedRows).toBe(300)
    const done = await start(half)
    expect(done).toMatchObject({ state: 'done', importedRows: 600 })
    expect(done.imported).toEqual(checked.checked)
    const rows = await server.db
      .selectFrom('patient_import_row')
      .selectAll()
      .where('import_id', '=', id)
      .execute()
    expect(rows.filter(({ outcome, result }) => outcome !== result)).toEqual([])
    const made = await server.db
      .selectFrom('patient')
      .select('id')
      .where('surname', 'like', 'Mare%')
      .execute()
    expect(made).toHaveLength(counts(done.imported).created!)
  })

  it('changes nothing when it is imported a second time', async () => {
    const file = makeFile(60)
    const first = await start(await check(await read('a.csv', file)))
    const second = await start(await check(await read('a.csv', file)))
    expect(counts(second.imported).created).toBeUndefined()
    expect(counts(second.imported).refused).toBe(counts(first.imported).refused)
  })
})

describe('the refused rows', () => {
  it('are a file that can be mended and imported again, without formulas', async () => {
    const { cnp } = person()
    const found = await start(
      await check(
        await read(
          'a.csv',
          csv('Nume;Prenume;CNP;Observații', `=Formula;Ana;${cnp.slice(1)};"@x;+1"`, 'Pop;;;'),
        ),
      ),
    )
    const authorization = await staff.authorization('export')
    const address = `${PATIENT_IMPORTS_PATH}/${found.id}/refused.csv`
    const text = await (await staff.get(address, { authorization })).text()
    expect(text).toContain(`"'=Formula";"Ana";"${cnp.slice(1)}";"'@x;'+1"`)
    expect(text).not.toMatch(/"[=+@\t]/)
    const mended = await read('b.csv', text.replace(cnp.slice(1), cnp))
    expect(mended.columns).toEqual(['surname', 'givenNames', 'cnp', 'notes', null])
    const again = await start(await check(mended))
    expect(counts(again.imported)).toEqual({ created: 1, refused: 1 })
    expect(await withCnp(cnp)).toMatchObject({ surname: '=Formula', notes: '@x;+1' })
  })
})

describe('who may import', () => {
  it('is staff, each the own files', async () => {
    const institution = await makeInstitution(server.db)
    const outsider = await server.signIn(
      (await makeUser(server.db, { role: 'institution', institutionIds: [institution.id] })).email,
    )
    expect((await sendImport(outsider, 'a.csv', 'Nume')).status).toBe(403)
    expect((await server.app.request(PATIENT_IMPORTS_PATH, { method: 'POST', body: 'x' })).status).toBe(401)
    const { id, version, columns } = await read('a.csv', csv('Nume;Prenume', 'Pop;Ana'))
    const colleague = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
    for (const [query, variables] of [
      [READ_IMPORT, { id }],
      [LINES, { importId: id }],
      [CHECK, { id, version, columns, overwrites: false }],
      [START, { id, version }],
      [STOP, { id }],
      [REMOVE, { id }],
      [ALLOW, { id, lines: [2], allowed: true }],
      [REREAD, { id, version, encoding: 'utf-8' }],
    ] as const) {
      for (const [client, code] of [
        [colleague, 'NOT_FOUND'],
        [outsider, 'FORBIDDEN'],
      ] as const)
        expect((await client.graphql(query, variables)).errors[0]?.extensions.code).toBe(code)
    }
    const authorization = await colleague.authorization('export')
    expect((await colleague.get(`${PATIENT_IMPORTS_PATH}/${id}/refused.csv`, { authorization })).status).toBe(
      404,
    )
  })

  it('ends with the rights of the person who has started it', async () => {
    const user = await makeUser(server.db)
    const client = await server.signIn(user.email)
    const found = await read('a.csv', csv('Nume;Prenume', 'Plecat;Ana'), client)
    const { id, version, columns } = found
    await client.runQuery(CHECK, { id, version, columns, overwrites: false })
    await server.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', user.id).execute()
    await server.runJobs()
    const row = await server.db
      .selectFrom('patient_import')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ state: 'read' })
  })

  it('deletes a file with its rows, not while it is imported', async () => {
    const found = await check(await read('a.csv', csv('Nume;Prenume', 'Șters;Ana')))
    const { id, version } = found
    await staff.runQuery(START, { id, version })
    expect((await staff.graphql(REMOVE, { id })).errors[0]?.extensions.code).toBe('CONFLICT')
    await server.runJobs()
    const { storage_key } = await server.db
      .selectFrom('patient_import')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await staff.runQuery(REMOVE, { id })
    await expect(server.services.storage.open(storage_key)).rejects.toThrow()
    const rows = await server.db
      .selectFrom('patient_import_row')
      .select('line')
      .where('import_id', '=', id)
      .execute()
    expect(rows).toEqual([])
  })
  it('keeps the file of an import whose deletion fails', async () => {
    const { id } = await read('a.csv', csv('Nume;Prenume', 'Păstrat;Ana'))
    const { storage_key } = await server.db
      .updateTable('patient_import')
      .set({ created_at: new Date(0) })
      .where('id', '=', id)
      .returning('storage_key')
      .executeTakeFirstOrThrow()
    // The commit fails, after all that the transaction does.
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'no deletion'; end $$`.execute(server.db)
    await sql`create constraint trigger refused after delete on patient_import deferrable initially deferred
      for each row execute function refuse()`.execute(server.db)
    const isStored = () => server.services.storage.storedAt(storage_key).then(Boolean)
    expect((await staff.graphql(REMOVE, { id })).errors[0]?.extensions.code).toBe('INTERNAL_SERVER_ERROR')
    expect(await isStored()).toBe(true)
    await expect(deleteOldImports(createSystemContext(server.services))).rejects.toThrow('no deletion')
    expect(await isStored()).toBe(true)
    await sql`drop trigger refused on patient_import`.execute(server.db)
    await sql`drop function refuse`.execute(server.db)
    await deleteOldImports(createSystemContext(server.services))
    expect(await isStored()).toBe(false)
  })
})
