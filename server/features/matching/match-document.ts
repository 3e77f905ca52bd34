import { parseCnp } from '../../../shared/romania/cnp.ts'
import type { Confidence, MatchReason } from '../../../shared/uploads/match-reasons.ts'
import type { FactRow } from '../uploads/inspection/facts.db.ts'
import {
  agreesByName,
  compareName,
  type FoldedName,
  foldName,
  foldStated,
  isNearName,
  type NameMatch,
  type PersonName,
  type StatedName,
} from './compare-names.ts'

export type StatedFact = Pick<FactRow, 'kind' | 'value' | 'place' | 'is_doubtful'>

/** A live patient that a query found by the facts of a document. */
export type Candidate = PersonName & {
  id: string
  number: number
  cnp: string | null
  birth_date: string | null
}

/**
 * What the queries found for a document: `accessions` has the patients whose released or accepted uploads have a number;
 * `isCut`: there are more candidates than were read.
 */
export type Candidates = {
  people: readonly Candidate[]
  accessions: ReadonlyMap<string, readonly string[]>
  isCut: boolean
}

/** `patients`: the one of `sure`; the possible ones of `likely`, of `conflict` those that the facts name. */
export type PatientMatch = { confidence: Confidence; patients: readonly FoundPatient[] }
export type FoundPatient = { person: Candidate; reasons: readonly MatchReason[] }

/** Patients listed where it is not certain who it is. */
export const MAX_LISTED = 3
/**
 * Names of a document that are compared with each candidate, since a hostile file states hundreds; any further one counts
 * as another person's.
 */
const MAX_NAMES = 10

type Agreement = 'agrees' | 'disagrees' | 'absent'

/** A candidate compared with the document. */
type Compared = {
  person: Candidate
  folded: FoldedName
  /** `unknown`: the document has a CNP, the patient none. */
  cnp: Agreement | 'unknown'
  name: NameMatch | 'absent'
  birthDate: Agreement
  hasAccession: boolean
  /** A doubtful fact disagrees. */
  isDoubted: boolean
  reasons: MatchReason[]
}

/**
 * Decides which of the candidates the document is about. `sure` needs the patient's CNP, or the whole name and the birth date
 * of exactly one patient, or an accession number with name and birth date; any fact that disagrees prevents it.
 */
export function matchDocument(facts: readonly StatedFact[], candidates: Candidates): PatientMatch {
  const proven = facts.filter(({ is_doubtful }) => !is_doubtful)
  const names = valuesOf(proven, 'name').slice(0, MAX_NAMES).map(foldStated)
  const cnps = valuesOf(proven, 'cnp').filter((cnp) => parseCnp(cnp).ok)
  const read = new Set(facts.filter(({ kind }) => kind === 'name').slice(0, MAX_NAMES))
  const stated = facts.map((fact) =>
    fact.kind === 'name' ? { ...fact, name: read.has(fact) ? foldStated(fact.value) : null } : fact,
  )
  const compared = candidates.people.map((person) => comparePerson(stated, cnps, person, candidates))
  if (cnps.length > 1) return conflict(compared.filter(isNamed))
  const { isCut } = candidates
  const [cnp] = cnps
  if (cnp === undefined) return matchByName(compared, { names, compared, isCut })
  const owner = compared.find((each) => each.cnp === 'agrees')
  if (owner) return matchByCnp(owner, compared)
  const possible = compared.filter((each) => each.cnp === 'unknown' && isNamed(each))
  if (possible.length === 0) return compared.some(isNamed) ? conflict(compared.filter(isNamed)) : NONE
  const match = matchByName(possible, { names, compared, isCut })
  const parsed = parseCnp(cnp)
  // Otherwise the CNP of a parent, or of a sender.
  const isOwn = parsed.ok && possible.every(({ person }) => person.birth_date === parsed.birthDate)
  return match.confidence === 'sure' && !isOwn ? likely(possible) : match
}

/** Whether the document has facts by which a patient is found, and they are this patient's. */
const isNamed = (each: Compared): boolean =>
  each.cnp === 'agrees' || each.hasAccession || hasNameAndBirthDate(each)

function matchByCnp(owner: Compared, compared: readonly Compared[]): PatientMatch {
  const others = compared.filter((each) => each !== owner && isNamed(each))
  // A parent's CNP on the report of a child.
  if (owner.name === 'other' || others.some(({ hasAccession }) => hasAccession))
    return conflict([owner, ...others])
  if (owner.birthDate === 'disagrees') return hasName(owner) ? likely([owner]) : conflict([owner, ...others])
  // Fewer words may be the name of a child or of a twin too.
  const isWhole = owner.name === 'same' || owner.name === 'misspelt' || owner.name === 'absent'
  const isOnly = owner.name === 'fits' && owner.birthDate === 'agrees' && others.length === 0
  return (isWhole || isOnly) && !owner.isDoubted ? sure(owner) : likely([owner])
}

function matchByName(
  possible: readonly Compared[],
  { names, compared, isCut }: { names: readonly StatedName[]; compared: readonly Compared[]; isCut: boolean },
): PatientMatch {
  const named = possible.filter(hasNameAndBirthDate)
  const [numbered, ...more] = possible.filter(({ hasAccession }) => hasAccession)
  if (more.length > 0) return conflict([numbered!, ...more])
  const found = numbered ?? named[0]
  if (!found) return NONE
  if (found.name === 'other' || found.birthDate === 'disagrees') return conflict([found, ...named])
  const others = named.filter((each) => each !== found)
  const hasTwo = hasNameAndBirthDate(found) && (found === numbered || found.name === 'same')
  // With one typing error the document might be about them.
  const isRival = (each: Compared) =>
    each !== found &&
    (hasName(each) || (each.birthDate === 'agrees' && names.some((name) => isNearName(each.folded, name))))
  const isSure = hasTwo && !found.isDoubted && !isCut && !compared.some(isRival)
  return isSure ? sure(found) : likely([found, ...others])
}

const hasName = ({ name }: Compared): boolean => name !== 'absent' && agreesByName(name)

const hasNameAndBirthDate = (each: Compared): boolean => hasName(each) && each.birthDate === 'agrees'

const listed = (compared: readonly Compared[]): PatientMatch['patients'] =>
  compared.slice(0, MAX_LISTED).map(({ person, reasons }) => ({ person, reasons }))

const NONE: PatientMatch = { confidence: 'none', patients: [] }
const sure = (found: Compared): PatientMatch => ({ confidence: 'sure', patients: listed([found]) })
const likely = (found: readonly Compared[]): PatientMatch => ({
  confidence: 'likely',
  patients: listed(found),
})
const conflict = (found: readonly Compared[]): PatientMatch => ({
  confidence: 'conflict',
  patients: listed(found),
})

const valuesOf = (facts: readonly StatedFact[], kind: StatedFact['kind']): string[] => [
  ...new Set(facts.filter((fact) => fact.kind === kind).map(({ value }) => value)),
]

const WORST_FIRST: readonly NameMatch[] = ['other', 'same', 'fits', 'short', 'misspelt', 'part']

function comparePerson(
  facts: readonly (StatedFact & { name?: StatedName | null })[],
  cnps: readonly string[],
  person: Candidate,
  { accessions }: Candidates,
): Compared {
  const folded = foldName(person)
  const reasons: MatchReason[] = []
  const names: NameMatch[] = []
  let birthDate: Agreement = 'absent'
  let hasAccession = false
  let isDoubted = false
  for (const { kind, value, place, is_doubtful, name } of facts) {
    const agree = (what: MatchReason['what']) => {
      if (!reasons.some((reason) => reason.what === what)) reasons.push({ what, place })
    }
    if (kind === 'cnp' && is_doubtful) isDoubted ||= value !== person.cnp
    else if (kind === 'cnp' && value === person.cnp) agree('cnp')
    if (kind === 'accession' && !is_doubtful) {
      const [patient, ...others] = accessions.get(value) ?? []
      if (patient !== person.id || others.length > 0) continue
      hasAccession = true
      agree('accession')
    }
    if (kind === 'birth-date' && person.birth_date !== null) {
      const agrees = value === person.birth_date
      if (is_doubtful) isDoubted ||= !agrees
      else if (!agrees) birthDate = 'disagrees'
      else {
        if (birthDate === 'absent') birthDate = 'agrees'
        agree('birth-date')
      }
    }
    if (name !== undefined) {
      const match = name === null ? 'other' : compareName(folded, name)
      if (is_doubtful) isDoubted ||= match !== 'same' && match !== 'misspelt'
      else {
        names.push(match)
        if (agreesByName(match)) agree('name')
      }
    }
  }
  const cnp =
    cnps.length === 0
      ? 'absent'
      : person.cnp === null
        ? 'unknown'
        : cnps.includes(person.cnp)
          ? 'agrees'
          : 'disagrees'
  const worst = WORST_FIRST.find((match) => names.includes(match)) ?? 'absent'
  return { person, folded, cnp, name: worst, birthDate, hasAccession, isDoubted, reasons }
}
