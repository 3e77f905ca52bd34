import { type FactKind, type FileFact, MAX_FACTS } from '../../../../../shared/uploads/file-facts.ts'

/** Returns the first fact of each kind, value and entry, a certain one before a doubtful one. */
export function keepDistinct(facts: readonly FileFact[]): FileFact[] {
  const distinct = new Map<string, FileFact>()
  for (const fact of facts) {
    const key = JSON.stringify([fact.kind, fact.value, fact.place.entry ?? null])
    const known = distinct.get(key)
    if (!known || (known.isDoubtful && !fact.isDoubtful)) distinct.set(key, fact)
  }
  return [...distinct.values()]
}

/** `isCut`: a fact about a person was left out. */
export type KeptFacts = { facts: FileFact[]; isCut: boolean }

/**
 * Returns at most `most` distinct facts in their order. Where there are more, each value of a fact about a person is kept
 * before the same value in further entries of an archive, and these before all other facts.
 */
export function keepWithin(facts: readonly FileFact[], most = MAX_FACTS): KeptFacts {
  const distinct = keepDistinct(facts)
  const ofPerson = distinct.filter(isOfPerson)
  const values = new Map(ofPerson.toReversed().map((fact) => [factKey(fact), fact]))
  const ordered = [...ofPerson.filter((fact) => values.get(factKey(fact)) === fact), ...ofPerson, ...distinct]
  const kept = new Set([...new Set(ordered)].slice(0, most))
  return { facts: distinct.filter((fact) => kept.has(fact)), isCut: ofPerson.length > most }
}

const IDENTITY: ReadonlySet<FactKind> = new Set(['cnp', 'name', 'birth-date'])
/** Whether this fact says which person the document is about. */
export const isOfPerson = ({ kind }: FileFact): boolean => IDENTITY.has(kind)

/** Equal for facts that say the same, wherever they are. */
export const factKey = ({ kind, value, isDoubtful }: FileFact): string => `${kind} ${isDoubtful} ${value}`
