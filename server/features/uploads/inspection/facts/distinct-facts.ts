import { type FactKind, type FileFact, MAX_FACTS } from '../../../../../shared/uploads/file-facts.ts'

/** Returns the first fact of each kind, value and entry, a certain one before a doubtful one; at most MAX_FACTS. */
export function keepDistinct(facts: readonly FileFact[]): FileFact[] {
  const distinct = new Map<string, FileFact>()
  for (const fact of facts) {
    const key = JSON.stringify([fact.kind, fact.value, fact.place.entry ?? null])
    const known = distinct.get(key)
    if (!known || (known.isDoubtful && !fact.isDoubtful)) distinct.set(key, fact)
  }
  return [...distinct.values()].slice(0, MAX_FACTS)
}

const IDENTITY: ReadonlySet<FactKind> = new Set(['cnp', 'name', 'birth-date'])
/** Whether this fact says which person the document is about. */
export const isOfPerson = ({ kind }: FileFact): boolean => IDENTITY.has(kind)

/** Equal for facts that say the same, wherever they are. */
export const factKey = ({ kind, value, isDoubtful }: FileFact): string => `${kind} ${isDoubtful} ${value}`
