import type { Db } from '../../server/platform/database/database.ts'
import { makeCnp } from '../../shared/romania/cnp.ts'
import { makePdf } from '../../test/hostile-files.ts'
import { writeSource } from '../health.ts'
import type { SourceFile } from '../send-files.ts'
import { type Kinds, MIXED, makePeople, type Person, writeBatch } from './write-batch.ts'

const PATIENTS = 58
const FILES = 300
/** How many of the files need a person, by what is wrong with them. */
const DOUBTFUL = { nameless: 10, nameOnly: 4, ofTwo: 6, locked: 4, copied: 4, newPerson: 2 }

/** The person of a file; `id` is null for one who is not a patient yet. */
type Owner = Pick<Person, 'name' | 'cnp'> & { id: string | null }
/** The files of a day, and whose each is by its name. */
export type Day = { files: SourceFile[]; people: Map<string, Owner> }

/** Without the letters that the fonts of the PDFs do not have. */
const CATEGORY = 'Hemoleucograma completa'
const SURE: Kinds = MIXED.map(([extension, write]) => [
  extension,
  // A DICOM file has its own fields.
  (lines, person) => write(extension === 'dcm' ? lines : [CATEGORY, ...lines], person),
])

/** Writes 300 files of 58 patients, most of which say whose they are, into the folder. */
export async function writeDay(db: Db, folder: string, institutionId: string): Promise<Day> {
  const patients = await makePeople(db, PATIENTS, institutionId)
  // Each copy is a second file.
  const count = FILES - Object.values(DOUBTFUL).reduce((sum, each) => sum + each, DOUBTFUL.copied)
  const byId = new Map(patients.map((person) => [person.id, person]))
  const files: SourceFile[] = []
  const people: Day['people'] = new Map()
  for (const { patientId, ...file } of await writeBatch(folder, { count, people: patients, kinds: SURE })) {
    files.push(file)
    people.set(file.name, byId.get(patientId!)!)
  }
  const add = async (name: string, bytes: Uint8Array, person: Owner) => {
    files.push(await writeSource(folder, name, bytes))
    people.set(name, person)
  }
  const text = (...lines: string[]) => Buffer.from([CATEGORY, ...lines].join('\n'))
  const each = async (
    kind: keyof typeof DOUBTFUL,
    write: (place: number, person: Person) => Promise<void>,
  ) => {
    for (let place = 0; place < DOUBTFUL[kind]; place += 1)
      await write(place, patients[(place * 7) % PATIENTS]!)
  }
  const facts = ({ name, cnp }: Owner) => [`Nume: ${name}`, `CNP: ${cnp}`]
  await each('nameless', (place, person) => add(`fara-nume-${place}.txt`, text(`proba ${place}`), person))
  await each('nameOnly', async (place, person) =>
    add(`doar-nume-${place}.pdf`, await makePdf(1, {}, `${CATEGORY}\nNume: ${person.name}`), person),
  )
  await each('ofTwo', (place, person) =>
    add(`doi-${place}.txt`, text(...facts(person), ...facts(patients[place + 1]!)), person),
  )
  await each('locked', async (place, person) =>
    add(`parola-${place}.pdf`, await makePdf(1, { userPassword: `secret ${place}` }), person),
  )
  await each('copied', async (place, person) => {
    const bytes = text(...facts(person), `copia ${place}`)
    await add(`copie-${place}.txt`, bytes, person)
    await add(`copie-${place}-bis.txt`, bytes, person)
  })
  await each('newPerson', async (place) => {
    const cnp = makeCnp({ sex: 'male', birthDate: `1971-03-0${1 + place}`, county: 12, serial: 901 + place })
    const person = { id: null, name: `Zgribincea ${place === 0 ? 'Anton' : 'Dumitru'}`, cnp }
    await add(`nou-${place}.pdf`, await makePdf(1, {}, [CATEGORY, ...facts(person)].join('\n')), person)
  })
  return { files, people }
}
