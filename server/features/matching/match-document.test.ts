import { describe, expect, it } from 'vitest'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import type { FactKind } from '../../../shared/uploads/file-facts.ts'
import { countCalls } from '../../../test/count-calls.ts'
import { type Candidate, matchDocument, type StatedFact } from './match-document.ts'
import { nearDates } from './near-dates.ts'

const fact = (kind: FactKind, value: string, is_doubtful = false): StatedFact => ({
  kind,
  value,
  place: { in: 'text' },
  is_doubtful,
})
const BORN = '1985-06-12'
const makeCandidate = (id: number, surname: string, given_names: string): Candidate => ({
  id: String(id),
  number: id,
  surname,
  given_names,
  previous_surname: null,
  birth_date: BORN,
  cnp: makeCnp({ sex: 'female', birthDate: BORN, county: 12, serial: id }),
})
const match = (facts: readonly StatedFact[], people: readonly Candidate[], isCut = false) =>
  matchDocument(facts, { people, accessions: new Map(), isCut })

const ANA = makeCandidate(1, 'Popescu', 'Ana Maria')
const BY_NAME = [fact('name', 'POPESCU ANA-MARIA'), fact('birth-date', BORN)]

describe('matchDocument', () => {
  it('is sure by the whole name and the birth date of one patient', () => {
    expect(match(BY_NAME, [ANA])).toMatchObject({ confidence: 'sure', patients: [{ person: ANA }] })
  })

  it.each<[string, StatedFact[], Candidate[], boolean?]>([
    ['fewer given names', [fact('name', 'Popescu Ana'), fact('birth-date', BORN)], [ANA]],
    ['an initial', [fact('name', 'Popescu A.'), fact('birth-date', BORN)], [ANA]],
    ['a doubtful name beside the CNP', [fact('cnp', ANA.cnp!), fact('name', 'POPESCU A?A', true)], [ANA]],
    [
      'a doubtful date beside the CNP',
      [fact('cnp', ANA.cnp!), fact('birth-date', '1985-06-13', true)],
      [ANA],
    ],
    ['only the surname beside the CNP', [fact('cnp', ANA.cnp!), fact('name', 'Popescu')], [ANA]],
    ['a twin whose name differs by a letter', BY_NAME, [ANA, makeCandidate(2, 'Popescu', 'Ana Marta')]],
    ['more candidates than were read', BY_NAME, [ANA], true],
  ])('is only likely with %s', (_what, facts, people, isCut) => {
    expect(match(facts, people, isCut)).toMatchObject({ confidence: 'likely', patients: [{ person: ANA }] })
  })

  it('is a conflict where the CNP, valid but unknown, is not the one of the patient with the name', () => {
    const foreign = makeCnp({ sex: 'female', birthDate: BORN, county: 40, serial: 9 })
    expect(match([...BY_NAME, fact('cnp', foreign)], [ANA]).confidence).toBe('conflict')
  })

  it('of a document with hundreds of names compares ten with each candidate, and is never sure', async () => {
    const own = [fact('cnp', ANA.cnp!), ...BY_NAME]
    const names = Array.from({ length: 300 }, () => fact('name', 'Popescu Ana Maria'))
    const people = Array.from({ length: 50 }, (_, index) => makeCandidate(index + 2, 'Albu', 'Ion'))
    const compare = async () =>
      expect(match([...own, ...names], [ANA, ...people])).toMatchObject({ confidence: 'conflict' })
    expect(await countCalls('matching/compare-names.ts', 'compareName', compare)).toBe(51 * 10)
  })

  it('does not search by doubtful facts', () => {
    expect(match([fact('cnp', ANA.cnp!, true)], [ANA]).confidence).toBe('none')
    expect(match([fact('name', 'Popescu Ana Maria', true), fact('birth-date', BORN)], [ANA]).confidence).toBe(
      'none',
    )
  })
})

describe('nearDates', () => {
  it('returns the dates that one typing error makes of a date', () => {
    const near = nearDates('1985-06-12')
    for (const date of ['1985-06-13', '1986-06-12', '1985-12-06', '1985-06-21', '1958-06-12'])
      expect(near).toContain(date)
    for (const date of ['1985-06-12', '1985-07-13', '1985-06-32', '1885-06-12'])
      expect(near).not.toContain(date)
    expect(near.length).toBeLessThan(50)
  })
})
