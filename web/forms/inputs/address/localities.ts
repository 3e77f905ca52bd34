import type { CountyCode } from '../../../../shared/romania/counties.ts'
import { queryWords, searchWords } from '../../../../shared/romania/names.ts'

/** In the order in which a list shows them. */
const KINDS = ['municipality', 'town', 'commune', 'sector', 'village'] as const

export type LocalityKind = (typeof KINDS)[number]

/** A town or commune with its villages, as stored in the files of `localities/`. */
export interface Unit {
  name: string
  kind: LocalityKind
  villages?: string[]
}

export interface Locality {
  name: string
  kind: LocalityKind
  /** For a village: its town or commune. */
  unit?: { name: string; kind: LocalityKind }
  /** The name in lists, unique in its county: `Săcele`, `Săcele (com. Moldovenești)`. */
  label: string
  /**
   * The search keys: name and label without spaces in both orthographies, the words of the name, and the
   * words of the unit's name.
   */
  keys: { spellings: readonly string[]; words: readonly string[]; unitWords: readonly string[] }
}

const SHORT_KINDS: Partial<Record<LocalityKind, string>> = {
  municipality: 'mun.',
  town: 'oraș',
  commune: 'com.',
}

/**
 * Returns a text without spaces, signs and diacritics: „cluj-napoca” and „Cluj Napoca” both become
 * `clujnapoca`. Works word by word, because queryWords drops repeated words.
 */
const joinWords = (text: string): string =>
  text
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .flatMap(queryWords)
    .join('')

/**
 * Returns the joined text in both orthographies, which write the same sound inside a word as â or î: Târgu,
 * Tîrgu.
 */
function spellings(text: string): string[] {
  const older = text.replace(/â/g, 'î')
  const newer = text.replace(/(?<=\p{L})î/gu, 'â')
  return [...new Set([text, older, newer].map(joinWords))]
}

function withSearchKeys(place: Omit<Locality, 'label' | 'keys'>, label: string): Locality {
  return {
    ...place,
    label,
    keys: {
      spellings: [...new Set([place.name, label].flatMap(spellings))],
      words: searchWords(place.name),
      unitWords: searchWords(place.unit?.name ?? ''),
    },
  }
}

const collator = new Intl.Collator('ro')

/**
 * Returns the localities of these units: towns, communes, then villages, each kind in Romanian alphabetical
 * order.
 */
function listLocalities(units: readonly Unit[]): Locality[] {
  const places: Omit<Locality, 'label' | 'keys'>[] = units.flatMap(({ villages = [], ...unit }) => [
    unit,
    ...villages.map((name) => ({ name, kind: 'village' as const, unit })),
  ])
  const sameName = Map.groupBy(places, ({ name }) => name)
  return places
    .map((place) => {
      const { name, unit } = place
      // Only a village gets the name of its unit appended; a town or commune keeps its plain name.
      const needsUnit = unit && sameName.get(name)!.length > 1
      return withSearchKeys(place, needsUnit ? `${name} (${SHORT_KINDS[unit.kind]} ${unit.name})` : name)
    })
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || collator.compare(a.label, b.label))
}

const files = import.meta.glob<Unit[]>('./localities/*.json', { import: 'default' })

/**
 * Loads the localities of a county: its towns and communes, and their villages of 500 inhabitants and more
 * (in București the six sectors), from GeoNames (localities/README.md). A village with the name of its
 * commune is left out; smaller villages are unknown, so an address may name others. Each county is a separate
 * chunk: rejects if the chunk cannot be loaded.
 */
export async function loadLocalities(county: CountyCode): Promise<readonly Locality[]> {
  return listLocalities(await files[`./localities/${county.toLowerCase()}.json`]!())
}

/** Returns how well a locality matches a query: 0 is best; null for no match. */
function rank({ keys }: Locality, query: string, words: readonly string[]): number | null {
  if (keys.spellings.includes(query)) return 0
  if (keys.spellings.some((spelling) => spelling.startsWith(query))) return 1
  const isPrefixOfSome = (places: readonly string[]) => (word: string) =>
    places.some((place) => place.startsWith(word))
  if (words.every(isPrefixOfSome(keys.words))) return 2
  if (keys.spellings.some((spelling) => spelling.includes(query))) return 3
  return words.every(isPrefixOfSome([...keys.words, ...keys.unitWords])) ? 4 : null
}

/**
 * Returns the first `limit` localities that match a text, best matches first: the whole name, its beginning,
 * beginnings of its words, a part inside, the name of its town or commune; equal matches keep their order.
 * Case, diacritics, hyphens, spaces and the two spellings of â are ignored. An empty text matches all.
 */
export function findLocalities(localities: readonly Locality[], text: string, limit: number): Locality[] {
  const words = queryWords(text)
  const query = joinWords(text)
  // A text in another alphabet matches nothing, though it has no query words.
  if (words.length === 0 && text.trim() !== '') return []
  return localities
    .map((locality) => ({ locality, rank: rank(locality, query, words) }))
    .filter((found): found is { locality: Locality; rank: number } => found.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ locality }) => locality)
}
