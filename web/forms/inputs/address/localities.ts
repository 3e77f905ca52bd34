import type { CountyCode } from '../../../../shared/romania/counties.ts'
import { queryWords, searchWords } from '../../../../shared/romania/names.ts'

/** In the order in which a list names them. */
const KINDS = ['municipality', 'town', 'commune', 'sector', 'village'] as const

export type LocalityKind = (typeof KINDS)[number]

/** A town or commune with its villages, as the files of `localities/` hold it. */
export interface Unit {
  name: string
  kind: LocalityKind
  villages?: string[]
}

export interface Locality {
  name: string
  kind: LocalityKind
  /** Of a village: the town or commune that it belongs to. */
  unit?: { name: string; kind: LocalityKind }
  /** As a list shows it, once in its county: `Săcele`, `Săcele (com. Moldovenești)`. */
  label: string
  /** What it is found by: its name and label run together in both orthographies, the words of its name, those of its unit. */
  keys: { spellings: readonly string[]; words: readonly string[]; unitWords: readonly string[] }
}

const SHORT_KINDS: Partial<Record<LocalityKind, string>> = {
  municipality: 'mun.',
  town: 'oraș',
  commune: 'com.',
}

/** „cluj-napoca” and „Cluj Napoca” both are `clujnapoca`. Word by word, since queryWords names each only once. */
const runTogether = (text: string): string =>
  text
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .flatMap(queryWords)
    .join('')

/** â and î inside a word write the same sound in the two orthographies: Târgu, Tîrgu. */
function spellings(text: string): string[] {
  const older = text.replace(/â/g, 'î')
  const newer = text.replace(/(?<=\p{L})î/gu, 'â')
  return [...new Set([text, older, newer].map(runTogether))]
}

function describe(place: Omit<Locality, 'label' | 'keys'>, label: string): Locality {
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

/** Every locality of these units: towns, communes, then villages, each kind in the order of a Romanian dictionary. */
function listLocalities(units: readonly Unit[]): Locality[] {
  const places: Omit<Locality, 'label' | 'keys'>[] = units.flatMap(({ villages = [], ...unit }) => [
    unit,
    ...villages.map((name) => ({ name, kind: 'village' as const, unit })),
  ])
  const sameName = Map.groupBy(places, ({ name }) => name)
  return places
    .map((place) => {
      const { name, unit } = place
      // A town or commune keeps its name to itself: in an address it is the village that is told more closely.
      const needsUnit = unit && sameName.get(name)!.length > 1
      return describe(place, needsUnit ? `${name} (${SHORT_KINDS[unit.kind]} ${unit.name})` : name)
    })
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || collator.compare(a.label, b.label))
}

const files = import.meta.glob<Unit[]>('./localities/*.json', { import: 'default' })

/**
 * The localities of a county: each of its towns and communes, and their villages of 500 inhabitants and more; in București
 * the six sectors. A village that bears the name of its commune is not named twice. Smaller villages are not known, so an
 * address may name others. From GeoNames, see localities/README.md. Each county is a chunk of its own: rejects where it
 * cannot be loaded.
 */
export async function loadLocalities(county: CountyCode): Promise<readonly Locality[]> {
  return listLocalities(await files[`./localities/${county.toLowerCase()}.json`]!())
}

/** How well a locality answers a query: 0 is best; null where it does not. */
function rank({ keys }: Locality, query: string, words: readonly string[]): number | null {
  if (keys.spellings.includes(query)) return 0
  if (keys.spellings.some((spelling) => spelling.startsWith(query))) return 1
  const beginsOneOf = (places: readonly string[]) => (word: string) =>
    places.some((place) => place.startsWith(word))
  if (words.every(beginsOneOf(keys.words))) return 2
  if (keys.spellings.some((spelling) => spelling.includes(query))) return 3
  return words.every(beginsOneOf([...keys.words, ...keys.unitWords])) ? 4 : null
}

/**
 * The first `limit` of `localities` that answer what was typed, best first: the whole name, its beginning, beginnings of its
 * words, something inside it, the name of its town or commune; among equals in the order given. Case, diacritics, hyphens,
 * spaces and the two ways to write â do not count. Nothing typed: the first of all.
 */
export function findLocalities(localities: readonly Locality[], text: string, limit: number): Locality[] {
  const words = queryWords(text)
  const query = runTogether(text)
  // Letters of another alphabet are no query, but they are not nothing.
  if (words.length === 0 && text.trim() !== '') return []
  return localities
    .map((locality) => ({ locality, rank: rank(locality, query, words) }))
    .filter((found): found is { locality: Locality; rank: number } => found.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ locality }) => locality)
}
