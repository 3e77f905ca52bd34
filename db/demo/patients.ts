import { makeCnp, type Sex } from '../../shared/romania/cnp.ts'
import { searchWords } from '../../shared/romania/names.ts'
import {
  DOUBLE_SURNAMES,
  FEMALE_NAMES,
  LONGEST_NAME,
  MALE_NAMES,
  PLACES,
  STREETS,
  SURNAMES,
} from './people.ts'
import { createRandom, drawId, type Random } from './random.ts'
import { after, DAY, isoDay } from './time.ts'

export type DemoPatient = ReturnType<typeof composePatient>

/** From this day every new CNP has the county code 70. */
const COUNTY_70_SINCE = '2024-05-08'
const ADULTS = 42
const CHILDREN = 4
const BORN_WITH_COUNTY_70 = 5

type PatientDetails = {
  surname: string
  given_names: string
  sex: Sex
  birth_date: string
  cnp: string | null
  other_ids?: readonly { kind: 'passport'; value: string; country: string }[]
  previous_surname?: string
  designated_persons?: string
  notes?: string
  created_at: Date
}

const drawGivenNames = (random: Random, sex: Sex) =>
  random.pickWeighted<string>(sex === 'male' ? MALE_NAMES : FEMALE_NAMES)

/** Returns a patient with these details and a random address, contact data and id. */
function composePatient(random: Random, facts: PatientDetails) {
  const place = random.pick(PLACES)
  const [first = 'pacient', second = first] = searchWords(`${facts.given_names} ${facts.surname}`)
  const email = random.chance(0.55) ? `${first}.${second}@exemplu.test` : null
  const flat = random.chance(0.5) ? `, bl. ${random.integer(1, 40)}, ap. ${random.integer(1, 60)}` : ''
  return {
    id: drawId(random, facts.created_at),
    previous_surname: null,
    designated_persons: null,
    notes: null,
    phone: random.chance(0.85) ? `+407${random.integer(20, 79)}555${random.integer(100, 999)}` : null,
    email,
    county: place.county,
    locality: place.locality,
    address: `${random.pick(STREETS)} nr. ${random.integer(1, 140)}${flat}, ${place.postalCode}`,
    preferred_channel: email
      ? random.pick(['email', 'email', 'phone'] as const)
      : random.pick(['phone', 'paper'] as const),
    consents: 'Acord de prelucrare a datelor și de transmitere către medicul trimițător, semnat la recepție.',
    other_ids: [],
    updated_at: facts.created_at,
    ...facts,
  }
}

function composePatientWithCnp(
  random: Random,
  facts: { born: Date; county: number; surname?: string; created_at: Date },
) {
  const sex: Sex = random.chance(0.56) ? 'female' : 'male'
  const birth_date = isoDay(facts.born)
  return composePatient(random, {
    surname: facts.surname ?? random.pickWeighted<string>(SURNAMES),
    given_names: drawGivenNames(random, sex),
    sex,
    birth_date,
    cnp: makeCnp({ sex, birthDate: birth_date, county: facts.county, serial: random.integer(1, 999) }),
    created_at: facts.created_at,
    ...(sex === 'female' && random.chance(0.2)
      ? { previous_surname: random.pickWeighted<string>(SURNAMES) }
      : {}),
    ...(random.chance(0.12) ? { notes: 'Preferă programări dimineața.' } : {}),
    ...(random.chance(0.15)
      ? { designated_persons: `${drawGivenNames(random, 'male')} (soț/fiu), acces deplin la rezultate` }
      : {}),
  })
}

/** Returns about sixty typical patients of a diagnostics centre, in the order of their first visit. */
export function planPatients(now: Date): DemoPatient[] {
  const random = createRandom('patients')
  const ago = (days: number) => after(now, -days * DAY)
  const seen = () => ago(random.integer(61, 400))
  const adult = (surname?: string) =>
    composePatientWithCnp(random, {
      born: ago(random.integer(20 * 365, 88 * 365)),
      county: random.pick(PLACES).code,
      created_at: seen(),
      ...(surname ? { surname } : {}),
    })
  const child = () =>
    composePatientWithCnp(random, {
      born: new Date(Date.UTC(random.integer(2012, 2023), 5, 14)),
      county: random.pick(PLACES).code,
      created_at: seen(),
    })
  const bornSince = Date.parse(COUNTY_70_SINCE)
  const toddler = () => {
    const born = new Date(bornSince + random.next() * (now.getTime() - 100 * DAY - bornSince))
    return composePatientWithCnp(random, { born, county: 70, created_at: after(born, 20 * DAY) })
  }
  const patients = [
    ...Array.from({ length: ADULTS }, () => adult()),
    ...DOUBLE_SURNAMES.map((surname) => adult(surname)),
    ...Array.from({ length: CHILDREN }, child),
    ...Array.from({ length: BORN_WITH_COUNTY_70 }, toddler),
    // An adult can have a CNP with county code 70 too: some get theirs late.
    composePatientWithCnp(random, {
      born: new Date('1988-03-09T00:00:00Z'),
      county: 70,
      created_at: ago(90),
    }),
    composePatient(random, {
      surname: LONGEST_NAME.surname,
      given_names: LONGEST_NAME.givenNames,
      sex: 'female',
      birth_date: '1961-11-30',
      cnp: makeCnp({ sex: 'female', birthDate: '1961-11-30', county: 40, serial: 271 }),
      previous_surname: 'Văcărescu',
      created_at: ago(220),
    }),
    composePatient(random, {
      surname: 'Nguyễn',
      given_names: 'Thị Lan',
      sex: 'female',
      birth_date: '1994-02-17',
      cnp: makeCnp({ sex: 'female', birthDate: '1994-02-17', county: 40, serial: 118, foreign: true }),
      notes: 'Rezident; data nașterii din pașaport.',
      created_at: ago(130),
    }),
    composePatient(random, {
      surname: 'Müller',
      given_names: 'Katharina',
      sex: 'female',
      birth_date: '1979-08-23',
      cnp: null,
      other_ids: [{ kind: 'passport', value: 'C01X00T47', country: 'DE' }],
      created_at: ago(75),
    }),
    composePatient(random, {
      surname: "O'Connor",
      given_names: 'Siobhán',
      sex: 'female',
      birth_date: '1986-12-05',
      cnp: null,
      other_ids: [{ kind: 'passport', value: 'XN5003778', country: 'IE' }],
      created_at: ago(68),
    }),
    composePatient(random, {
      surname: 'Brânză',
      given_names: 'Nou-născut',
      sex: 'male',
      birth_date: isoDay(ago(9)),
      cnp: null,
      notes: 'CNP-ul încă nu a fost atribuit.',
      created_at: ago(8),
    }),
  ]
  return patients.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
}
