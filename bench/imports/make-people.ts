import { makeCnp } from '../../shared/romania/cnp.ts'

/** One row of so many has a CNP that lacks a digit. */
const BAD_EVERY = 33
const SURNAMES = ['Popescu', 'Ionescu', 'Rusu', 'Munteanu', 'Stan', 'Dobre', 'Țurcanu', 'Lupu', 'Ciobanu']
const GIVEN = ['Ana', 'Maria', 'Ion', 'Elena', 'Vasile', 'Mihai', 'Andreea', 'Ștefan', 'Ioana', 'George']

/** Returns a table of invented people as CSV; the same number gives the same table. */
export function makePeople(count: number): string {
  const of = <T>(list: readonly T[], place: number): T => list[place % list.length]!
  const rows = Array.from({ length: count }, (_, place) => {
    const birthDate = new Date(Date.UTC(1930, 0, 1 + ((place * 7_919) % 28_000))).toISOString().slice(0, 10)
    const sex = place % 2 === 0 ? 'female' : 'male'
    const serial = 1 + (Math.floor(place / 40) % 999)
    const cnp = makeCnp({ sex, birthDate, county: 1 + (place % 40), serial })
    const name = `${of(SURNAMES, place)}-${of(SURNAMES, Math.floor(place / 9))};${of(GIVEN, place)} ${of(GIVEN, Math.floor(place / 81))}`
    return `${name};${place % BAD_EVERY === 7 ? cnp.slice(1) : cnp};${birthDate};07${20_000_000 + place}`
  })
  return ['Nume;Prenume;CNP;Data nașterii;Telefon', ...rows].join('\r\n')
}
