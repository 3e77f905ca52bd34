import { parseCnp } from '../../../shared/romania/cnp.ts'
import type { FactPlace } from '../../../shared/uploads/file-facts.ts'
import type { FactRow } from '../uploads/inspection/facts.db.ts'
import { agreesByName, compareName, foldName, foldStated, isOtherName, nameGroup } from './compare-names.ts'

export type ComparedPatient = {
  cnp: string | null
  surname: string
  given_names: string
  previous_surname: string | null
  birth_date: string | null
}

/** `value` is as the file has it: a CNP is not masked. */
export type Disagreement = { value: string; fileIds: string[]; place: FactPlace }

/** A fact that was compared, and where it is. */
export type FoundFact = { fileId: string; place: FactPlace; agrees: boolean }

/** `absent`: no file states it, or it cannot be compared. */
export type Line = {
  what: 'cnp' | 'name' | 'birth-date'
  result: 'agrees' | 'disagrees' | 'absent'
  disagreeing: Disagreement[]
  found: FoundFact[]
}

export type Comparison = { lines: Line[] }

export type ComparedFile = { fileId: string; facts: readonly FactRow[] }

/** What one fact says of the patient; `nothing`: it cannot be compared, or was only guessed. */
type Verdict = 'agrees' | 'disagrees' | 'nothing'

/**
 * Compares the facts of an upload's files with its patient. One fact of another person is enough for `disagrees`; a
 * doubtful fact may disagree, but never agrees. For a patient without a CNP every CNP disagrees.
 */
export function compareFacts(patient: ComparedPatient, files: readonly ComparedFile[]): Comparison {
  const name = foldName(patient)
  const birthDate = patient.birth_date ?? birthDateOf(patient.cnp)
  const documents = files.flatMap(({ fileId, facts }) =>
    [...Map.groupBy(facts, ({ place }) => place.entry).values()].map((stated) => ({
      fileId,
      stated,
      // Once a document, since a hostile one states hundreds of CNPs.
      hasOwnCnp: stated.some(({ value, is_doubtful }) => !is_doubtful && value === patient.cnp),
    })),
  )
  type Document = (typeof documents)[number]
  const read = (what: Line['what'], compare: (fact: FactRow, document: Document) => Verdict) =>
    summarize(
      what,
      documents.flatMap((document) =>
        document.stated
          .filter(({ kind }) => kind === what)
          .map((fact) => ({ fileId: document.fileId, fact, verdict: compare(fact, document) })),
      ),
    )
  return {
    lines: [
      // Digits that are perhaps no CNP do not count against the patient's own.
      read('cnp', (fact, { hasOwnCnp }) =>
        fact.is_doubtful && hasOwnCnp ? 'nothing' : compareCnp(patient.cnp, fact),
      ),
      read('name', (fact, { stated }) => {
        if (fact.is_doubtful) return isOtherName(name, fact.value) ? 'disagrees' : 'nothing'
        const match = compareName(name, foldStated(fact.value))
        if (match === 'part') return 'nothing'
        if (match === 'misspelt') return isConfirmed(stated, patient.cnp, birthDate) ? 'agrees' : 'disagrees'
        return agreesByName(match) ? 'agrees' : 'disagrees'
      }),
      read('birth-date', (fact) => compareBirthDate(birthDate, fact)),
    ],
  }
}

const birthDateOf = (cnp: string | null): string | null => {
  const parsed = cnp === null ? null : parseCnp(cnp)
  return parsed?.ok ? parsed.birthDate : null
}

function compareCnp(cnp: string | null, { value, is_doubtful }: FactRow): Verdict {
  if (value !== cnp) return parseCnp(value).ok ? 'disagrees' : 'nothing'
  return is_doubtful ? 'nothing' : 'agrees'
}

function compareBirthDate(birthDate: string | null, { value, is_doubtful }: FactRow): Verdict {
  if (birthDate === null) return 'nothing'
  if (value !== birthDate) return 'disagrees'
  return is_doubtful ? 'nothing' : 'agrees'
}

/** Whether the document has the patient's CNP or birth date, by which a misspelt name is the patient's. */
const isConfirmed = (document: readonly FactRow[], cnp: string | null, birthDate: string | null): boolean =>
  document.some(
    ({ kind, value, is_doubtful }) =>
      !is_doubtful && ((kind === 'cnp' && value === cnp) || (kind === 'birth-date' && value === birthDate)),
  )

function summarize(
  what: Line['what'],
  compared: readonly { fileId: string; fact: FactRow; verdict: Verdict }[],
): Line {
  const groups = new Map<string, Disagreement>()
  for (const { fileId, fact, verdict } of compared) {
    if (verdict !== 'disagrees') continue
    const key = what === 'name' ? nameGroup(fact.value) : fact.value
    const group = groups.get(key)
    if (!group) groups.set(key, { value: fact.value, fileIds: [fileId], place: fact.place })
    else if (!group.fileIds.includes(fileId)) group.fileIds.push(fileId)
  }
  const disagreeing = [...groups.values()]
  const found = compared
    .filter(({ verdict }) => verdict !== 'nothing')
    .map(({ fileId, fact: { place }, verdict }) => ({ fileId, place, agrees: verdict === 'agrees' }))
  const agrees = found.some((fact) => fact.agrees)
  const result = disagreeing.length > 0 ? 'disagrees' : agrees ? 'agrees' : 'absent'
  return { what, result, disagreeing, found }
}
