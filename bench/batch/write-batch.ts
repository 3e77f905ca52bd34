import { randomBytes } from 'node:crypto'
import { makePatient, makeReferral } from '../../db/factories.ts'
import { MANY_FEMALE_NAMES, MANY_SURNAMES } from '../../db/generate/names.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { makeCnp } from '../../shared/romania/cnp.ts'
import { type Files, makePdf, makeWord } from '../../test/hostile-files.ts'
import { writeDicom } from '../../test/inspection/dicom-files.ts'
import { paragraph, wordDocument } from '../../test/inspection/office-files.ts'
import { writeSource } from '../health.ts'
import type { SourceFile } from '../send-files.ts'

/** A file of a batch; `patientId` is null for one that is hostile. */
export type BatchFile = SourceFile & { patientId: string | null }
export type Person = { id: string; name: string; surname: string; given_names: string; cnp: string }

/** Files of these patients, each of the next kind for each patient. */
export async function writeBatch(
  folder: string,
  { count, people, kinds }: { count: number; people: readonly Person[]; kinds: Kinds },
): Promise<BatchFile[]> {
  const files: BatchFile[] = []
  for (let place = 0; place < count; place += 1) {
    const person = people[place % people.length]!
    const round = Math.floor(place / people.length)
    const [extension, write] = kinds[(place + round) % kinds.length]!
    const lines = [
      `Nume: ${person.name}`,
      `CNP: ${person.cnp}`,
      `Nr. examinare: A${1_000 + (place % people.length)}-${round % 2}`,
    ]
    const bytes = await write([...lines, `rezultat ${place}`], person)
    files.push({ ...(await writeSource(folder, `${place}.${extension}`, bytes)), patientId: person.id })
  }
  return files
}

/** Puts hostile files between the others, each of the next kind, under names of their own. */
export async function addHostile(
  folder: string,
  files: readonly BatchFile[],
  corpus: Files,
  count: number,
): Promise<BatchFile[]> {
  const kinds = Object.entries(corpus)
  const every = Math.floor(files.length / count)
  const mixed: BatchFile[] = []
  for (const [place, file] of files.entries()) {
    mixed.push(file)
    if (place % every !== 0 || mixed.length - place > count) continue
    const serial = mixed.length - place - 1
    const [name, bytes] = kinds[serial % kinds.length]!
    mixed.push({ ...(await writeSource(folder, `${serial}-${name}`, bytes)), patientId: null })
  }
  return mixed
}

/** Makes patients who are referred by the institution. */
export const makePeople = (db: Db, count: number, institutionId: string): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => makePerson(db, institutionId, place)))

/** Each place has another name. */
async function makePerson(db: Db, institutionId: string, place: number): Promise<Person> {
  const [surname] = MANY_SURNAMES[place % MANY_SURNAMES.length]!
  const [given_names] = MANY_FEMALE_NAMES[place % MANY_FEMALE_NAMES.length]!
  for (;;) {
    const serial = 1 + (randomBytes(2).readUInt16BE() % 900)
    const born = new Date(Date.UTC(1940, 0, 1 + (randomBytes(2).readUInt16BE() % 20_000)))
    const birthDate = born.toISOString().slice(0, 10)
    const cnp = makeCnp({ sex: 'female', birthDate, county: 12, serial })
    if (await db.selectFrom('patient').select('id').where('cnp', '=', cnp).executeTakeFirst()) continue
    const { id } = await makePatient(db, { surname, given_names, cnp })
    await makeReferral(db, { patient_id: id, institution_id: institutionId })
    return { id, name: `${surname} ${given_names}`, surname, given_names, cnp }
  }
}

/** Adds the same people to another database. */
export async function addPeople(db: Db, people: readonly Person[], institutionId: string): Promise<void> {
  for (const { surname, given_names, cnp } of people) {
    const { id } = await makePatient(db, { surname, given_names, cnp })
    await makeReferral(db, { patient_id: id, institution_id: institutionId })
  }
}

export type Kinds = readonly (readonly [
  extension: string,
  write: (lines: readonly string[], person: Person) => Uint8Array | Promise<Uint8Array>,
])[]

export const REPORTS: Kinds = [['pdf', (lines) => makePdf(1, {}, lines.join('\n'))]]

/** Reports of 300 kB, most of which says nothing. */
export const LARGE_REPORTS: Kinds = [
  [
    'pdf',
    (lines) => makePdf(1, { info: { Keywords: randomBytes(147_000).toString('hex') } }, lines.join('\n')),
  ],
]

export const MIXED: Kinds = [
  ...REPORTS,
  ['txt', (lines) => Buffer.from(lines.join('\n'))],
  ['docx', (lines) => makeWord({ 'word/document.xml': wordDocument(...lines.map(paragraph)) })],
  [
    'dcm',
    (lines, { name, cnp }) =>
      writeDicom(
        { '0010,0010': name, '0010,0020': cnp, '0008,0050': lines[2]!.slice('Nr. examinare: '.length) },
        { pixels: 60_000 + lines[3]!.length + Number(lines[3]!.slice('rezultat '.length)) },
      ),
  ],
  ['pdf', (lines) => makePdf(6, {}, lines.join('\n'))],
]
