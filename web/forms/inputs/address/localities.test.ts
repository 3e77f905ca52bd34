import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COUNTIES, type CountyCode } from '../../../../shared/romania/counties.ts'
import { findLocalities, type Locality, loadLocalities } from './localities.ts'

/** The seat of each county. Ilfov is governed from București; Buftea is its largest local centre. */
const SEATS: Record<Exclude<CountyCode, 'B'>, string> = {
  AB: 'Alba Iulia',
  AR: 'Arad',
  AG: 'Pitești',
  BC: 'Bacău',
  BH: 'Oradea',
  BN: 'Bistrița',
  BT: 'Botoșani',
  BV: 'Brașov',
  BR: 'Brăila',
  BZ: 'Buzău',
  CS: 'Reșița',
  CL: 'Călărași',
  CJ: 'Cluj-Napoca',
  CT: 'Constanța',
  CV: 'Sfântu Gheorghe',
  DB: 'Târgoviște',
  DJ: 'Craiova',
  GL: 'Galați',
  GR: 'Giurgiu',
  GJ: 'Târgu Jiu',
  HR: 'Miercurea Ciuc',
  HD: 'Deva',
  IL: 'Slobozia',
  IS: 'Iași',
  IF: 'Buftea',
  MM: 'Baia Mare',
  MH: 'Drobeta-Turnu Severin',
  MS: 'Târgu Mureș',
  NT: 'Piatra-Neamț',
  OT: 'Slatina',
  PH: 'Ploiești',
  SM: 'Satu Mare',
  SJ: 'Zalău',
  SB: 'Sibiu',
  SV: 'Suceava',
  TR: 'Alexandria',
  TM: 'Timișoara',
  TL: 'Tulcea',
  VS: 'Vaslui',
  VL: 'Râmnicu Vâlcea',
  VN: 'Focșani',
}

const counties = new Map(
  await Promise.all(COUNTIES.map(async ({ code }) => [code, await loadLocalities(code)] as const)),
)
const all = [...counties.values()].flat()
const labels = (localities: readonly Locality[]) => localities.map(({ label }) => label)
const find = (county: CountyCode, text: string, limit = 5) =>
  labels(findLocalities(counties.get(county)!, text, limit))

describe('the counties', () => {
  it('are 42, without duplicates, in Romanian alphabetical order', () => {
    const names = COUNTIES.map(({ name }) => name)
    expect(names).toEqual([...names].sort(new Intl.Collator('ro').compare))
    expect(new Set(COUNTIES.map(({ code }) => code)).size).toBe(42)
    expect(new Set(names).size).toBe(42)
  })
})

describe('the localities', () => {
  it('include all units of Romania and their larger villages', () => {
    const count = (kind: string) => all.filter((locality) => locality.kind === kind).length
    // București, the 103rd municipality, has sectors instead.
    expect(count('municipality')).toBe(102)
    expect(count('town')).toBe(216)
    expect(count('commune')).toBe(2862)
    expect(count('sector')).toBe(6)
    expect(count('village')).toBeGreaterThan(4000)
    expect(labels(counties.get('B')!)).toEqual([1, 2, 3, 4, 5, 6].map((number) => `Sectorul ${number}`))
  })

  it('are spelled with Romanian letters', () => {
    const misspelt = all.filter(
      ({ name }) => !/^[\p{Lu}\d](?:[a-zA-ZăâîșțĂÂÎȘȚ0-9.]|[ -](?=[^ -]))*$/u.test(name),
    )
    expect(labels(misspelt)).toEqual([])
    expect(labels(all.filter(({ name }) => name !== name.normalize('NFC')))).toEqual([])
    expect(labels(all.filter(({ name }) => /[ -](De|Din|Pe|La|Lui|Cel|Sub|Cu)[ -]/.test(name)))).toEqual([])
  })

  it.each(COUNTIES)('of $name have unique labels, and towns come first', ({ code }) => {
    const localities = counties.get(code)!
    expect(new Set(labels(localities)).size).toBe(localities.length)
    const kindIndexes = localities.map(({ kind }) =>
      ['municipality', 'town', 'commune', 'sector', 'village'].indexOf(kind),
    )
    expect(kindIndexes).toEqual([...kindIndexes].sort())
  })

  it.each(Object.entries(SEATS))('of %s include the seat %s', (code, seat) => {
    const found = counties.get(code as CountyCode)!.find(({ name }) => name === seat)
    expect(found).toMatchObject({ label: seat, kind: code === 'IF' ? 'town' : 'municipality' })
  })

  it('distinguish villages of one name by their town or commune, whose own label stays short', () => {
    const labelled = (county: CountyCode, searched: string) =>
      labels(counties.get(county)!.filter(({ name }) => name === searched))
    expect(labelled('AG', 'Păuleasca')).toEqual(['Păuleasca (com. Mălureni)', 'Păuleasca (com. Micești)'])
    expect(labelled('AG', 'Slobozia')).toEqual([
      'Slobozia',
      'Slobozia (com. Popești)',
      'Slobozia (com. Stoenești)',
    ])
    expect(labelled('VL', 'Valea Mare')).toEqual(['Valea Mare', 'Valea Mare (oraș Băbeni)'])
  })
})

describe('findLocalities', () => {
  it.each([
    ['CJ', 'cluj napoca', 'Cluj-Napoca'],
    ['CJ', 'CLUJNAP', 'Cluj-Napoca'],
    ['MS', 'tirgu mur', 'Târgu Mureș'],
    ['MS', 'Tîrgu-Mureş', 'Târgu Mureș'],
    ['MS', 'mures targu', 'Târgu Mureș'],
    ['IS', 'iasi', 'Iași'],
    ['VL', 'valcea', 'Râmnicu Vâlcea'],
    ['B', 'sector 3', 'Sectorul 3'],
    ['B', '4', 'Sectorul 4'],
    ['PH', 'cornu de sus (com. corn', 'Cornu de Sus (com. Cornu)'],
    ['AG', 'pauleasca micesti', 'Păuleasca (com. Micești)'],
  ] as const)('in %s, „%s” finds %s first', (county, text, label) => {
    expect(find(county, text)[0]).toBe(label)
  })

  it('lists matches at the beginning before matches inside, and towns before villages', () => {
    const found = find('MM', 'baia', 20)
    expect(found.slice(0, 2)).toEqual(['Baia Mare', 'Baia Sprie'])
    const mare = find('SM', 'mare', 20)
    expect(mare[0]).toBe('Satu Mare')
    // Cernavodă, a town too, matches inside a word.
    expect(find('CT', 'voda', 20).slice(0, 3)).toEqual(['Negru Vodă', 'Cuza Vodă', 'Mircea Vodă'])
    const inside = find('CJ', 'erla', 20)
    expect(inside[0]).toBe('Gherla')
  })

  it('finds the villages of a commune by its name, after the commune', () => {
    const found = findLocalities(counties.get('CJ')!, 'apahida', 10)
    expect(found[0]).toMatchObject({ name: 'Apahida', kind: 'commune' })
    expect(labels(found)).toContain('Dezmir')
  })

  it('finds nothing for an unknown name, and all localities for an empty text', () => {
    expect(find('CJ', 'qqq')).toEqual([])
    expect(find('CJ', 'Клуж')).toEqual([])
    expect(find('CJ', ' ', 2)).toEqual(labels(counties.get('CJ')!.slice(0, 2)))
  })

  const countyLocality = fc
    .constantFrom(...COUNTIES)
    .chain(({ code }) => fc.constantFrom(...counties.get(code)!).map((locality) => ({ code, locality })))

  it('finds each locality by its label in any case, with or without diacritics and hyphens', () => {
    const spelling = fc.constantFrom<(label: string) => string>(
      (label) => label,
      (label) => label.toUpperCase(),
      (label) => label.normalize('NFD').replace(/\p{M}/gu, ''),
      (label) => label.normalize('NFD'),
      (label) => label.replace(/ș/g, 'ş').replace(/ț/g, 'ţ'),
      (label) => label.replace(/â/g, 'î'),
      (label) => label.replace(/â/g, 'i'),
      (label) => label.replaceAll('-', ' '),
      (label) => label.replaceAll(' ', '-'),
      (label) => `  ${label} `,
    )
    fc.assert(
      fc.property(countyLocality, spelling, ({ code, locality }, respell) => {
        const found = findLocalities(counties.get(code)!, respell(locality.label), 10)
        expect(labels(found)).toContain(locality.label)
        // At most one other locality is ranked before it, which matches as exactly: Bârsa for „barsa”.
        expect(labels(found.slice(0, 2))).toContain(locality.label)
      }),
      { numRuns: 1000 },
    )
  })

  it('finds a locality by every beginning of its label', () => {
    fc.assert(
      fc.property(countyLocality, fc.nat(), ({ code, locality }, cut) => {
        const start = locality.label.slice(0, 1 + (cut % locality.label.length))
        expect(find(code, start, Number.POSITIVE_INFINITY)).toContain(locality.label)
      }),
      { numRuns: 3000 },
    )
  })

  it('returns at most `limit` localities without duplicates, for any text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...COUNTIES),
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.nat({ max: 20 }),
        ({ code }, text, limit) => {
          const found = find(code, text, limit)
          expect(found.length).toBeLessThanOrEqual(limit)
          expect(new Set(found).size).toBe(found.length)
        },
      ),
    )
  })
})
