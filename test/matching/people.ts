import { createRandom, type Random } from '../../db/demo/random.ts'
import { MANY_FEMALE_NAMES, MANY_MALE_NAMES, MANY_SURNAMES } from '../../db/generate/names.ts'
import { makeCnp, type Sex } from '../../shared/romania/cnp.ts'

export type Person = {
  /** The place in the list of people. */
  n: number
  surname: string
  givenNames: string
  previousSurname: string | null
  sex: Sex
  birthDate: string
  cnp: string
  /** What the patient's record lacks. */
  hasCnp: boolean
  /** Whether the person is a patient. */
  isRegistered: boolean
  accession: string | null
  kind: 'single' | 'twin' | 'mother' | 'newborn' | 'homonym' | 'near-homonym'
  /** The twin, the mother or the child, the person of the same name. */
  relative: number | null
}

const ACCESSION_DIGITS = 6

/** Returns people as an organisation has them, among them twins, mothers with newborns, and people of one name. */
export function generatePeople(seed: string, count = 21_000): Person[] {
  const random = createRandom(`people ${seed}`)
  const people: Person[] = []
  const serials = new Map<string, number>()
  const add = (
    person: Omit<Person, 'n' | 'cnp' | 'hasCnp' | 'isRegistered' | 'accession'>,
    unregistered = 0.02,
  ) => {
    const county = random.integer(1, 46)
    const key = `${person.sex} ${person.birthDate} ${county}`
    const serial = (serials.get(key) ?? random.integer(0, 300)) + 1
    serials.set(key, serial)
    const n = people.length
    const { sex, birthDate } = person
    people.push({
      n,
      ...person,
      cnp: makeCnp({ sex, birthDate, county, serial }),
      hasCnp: !random.chance(0.03),
      isRegistered: !random.chance(unregistered),
      // Numbers that follow one another: twins are examined one after the other.
      accession:
        random.chance(0.3) || person.kind === 'twin' ? String(n).padStart(ACCESSION_DIGITS, '0') : null,
    })
    return n
  }
  const surname = () =>
    random.chance(0.04)
      ? `${random.pickWeighted(MANY_SURNAMES)}${random.pick(['-', ' '])}${random.pickWeighted(MANY_SURNAMES)}`
      : random.pickWeighted(MANY_SURNAMES)
  const one = (sex: Sex) => random.pickWeighted(sex === 'male' ? MANY_MALE_NAMES : MANY_FEMALE_NAMES)
  const given = (sex: Sex) =>
    random.chance(0.25) ? `${one(sex)}${random.pick(['-', ' '])}${one(sex)}` : one(sex)
  const previous = (sex: Sex) =>
    sex === 'female' && random.chance(0.15) ? random.pickWeighted(MANY_SURNAMES) : null
  const anySex = (): Sex => (random.chance(0.56) ? 'female' : 'male')
  const single = (kind: Person['kind'] = 'single') => {
    const sex = anySex()
    return {
      surname: surname(),
      givenNames: given(sex),
      previousSurname: previous(sex),
      sex,
      birthDate: dayBetween(random, 1935, 2024),
      kind,
      relative: null,
    }
  }

  for (let pair = 0; pair < 400; pair += 1) {
    const first = { ...single('twin'), previousSurname: null }
    const isLike = random.chance(0.5)
    const sex = isLike ? first.sex : anySex()
    const second = { ...first, sex, givenNames: isLike ? likeName(random, first, one) : given(sex) }
    // Parents give twins no common name.
    const names = second.givenNames.split(/[ -]/)
    if (first.givenNames.split(/[ -]/).some((name) => names.includes(name))) continue
    const a = add(first, 0.1)
    const b = add({ ...second, relative: a }, 0.1)
    people[a]!.relative = b
  }
  for (let pair = 0; pair < 500; pair += 1) {
    const mother = { ...single('mother'), sex: 'female' as const, birthDate: dayBetween(random, 1980, 2003) }
    mother.givenNames = given('female')
    const a = add(mother)
    const sex = anySex()
    const givenNames = random.chance(0.1) ? mother.givenNames : given(sex)
    const birthDate = dayBetween(random, 2025, 2025)
    const child = { ...mother, kind: 'newborn' as const, previousSurname: null, sex, givenNames, birthDate }
    people[a]!.relative = add({ ...child, relative: a }, 0.3)
  }
  for (let pair = 0; pair < 400; pair += 1) {
    const isSameDay = pair % 2 === 0
    const first = single(isSameDay ? 'homonym' : 'near-homonym')
    const a = add(first, 0)
    const birthDate = isSameDay ? first.birthDate : slipDate(random, first.birthDate)
    people[a]!.relative = add({ ...first, birthDate, relative: a }, 0)
  }
  while (people.length < count) add(single())
  return people
}

/** Draws a given name that differs by few letters where there is one, as those of twins do. */
function likeName(
  random: Random,
  first: { sex: Sex; givenNames: string },
  one: (sex: Sex) => string,
): string {
  const start = first.givenNames.slice(0, 3)
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const name = one(random.pick(['male', 'female']))
    if (name !== first.givenNames && (name.startsWith(start) || name.slice(1) === first.givenNames.slice(1)))
      return name
  }
  return one(first.sex)
}

function dayBetween(random: Random, first: number, last: number): string {
  const from = Date.UTC(first, 0, 1)
  const days = (Date.UTC(last + 1, 0, 1) - from) / 86_400_000
  return new Date(from + random.integer(0, days - 1) * 86_400_000).toISOString().slice(0, 10)
}

/** Returns a date with one digit changed, or with two swapped. */
export function slipDate(random: Random, iso: string): string {
  for (;;) {
    const letters = [...iso]
    const index = random.pick([2, 3, 5, 6, 8, 9])
    if (random.chance(0.3)) [letters[8], letters[9]] = [letters[9]!, letters[8]!]
    else letters[index] = String(random.integer(0, 9))
    const slipped = letters.join('')
    const date = new Date(`${slipped}T00:00:00Z`)
    if (
      slipped !== iso &&
      !Number.isNaN(date.getTime()) &&
      date.toISOString().startsWith(slipped) &&
      slipped < '2026'
    )
      return slipped
  }
}
