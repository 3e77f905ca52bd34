import { describe, expect, it } from 'vitest'
import { makeCnp } from '../../../shared/romania/cnp.ts'
import type { FactKind, FactPlace } from '../../../shared/uploads/file-facts.ts'
import { countCalls } from '../../../test/count-calls.ts'
import type { FactRow } from '../uploads/inspection/facts.db.ts'
import { type ComparedPatient, compareFacts } from './compare-facts.ts'

const CNP = makeCnp({ sex: 'female', birthDate: '1989-03-08', county: 12, serial: 7 })
const OTHER_CNP = makeCnp({ sex: 'male', birthDate: '1994-02-11', county: 8, serial: 46 })
const PATIENT: ComparedPatient = {
  cnp: CNP,
  surname: 'Țîrlea-Șerban',
  given_names: 'Ana Maria',
  previous_surname: 'Văcărescu',
  birth_date: '1989-03-08',
}

const fact = (kind: FactKind, value: string, over: Partial<FactRow> = {}): FactRow => ({
  file_id: 'one',
  kind,
  value,
  place: { in: 'text', page: 1 },
  is_doubtful: false,
  ...over,
})
const compare = (facts: readonly FactRow[], patient = PATIENT) => {
  const files = [...Map.groupBy(facts, ({ file_id }) => file_id)]
  const { lines } = compareFacts(
    patient,
    files.map(([fileId, stated]) => ({ fileId, facts: stated })),
  )
  return new Map(lines.map((line) => [line.what, line]))
}
const nameResult = (name: string, patient = PATIENT, others: readonly FactRow[] = []) =>
  compare([fact('name', name), ...others], patient).get('name')!.result
const called = (surname: string, given_names: string, previous_surname: string | null = null) => ({
  ...PATIENT,
  surname,
  given_names,
  previous_surname,
})

describe('compareFacts', () => {
  it('returns three lines, absent without facts', () => {
    expect(compareFacts(PATIENT, [{ fileId: 'one', facts: [] }]).lines).toEqual(
      (['cnp', 'name', 'birth-date'] as const).map((what) => ({
        what,
        result: 'absent',
        disagreeing: [],
        found: [],
      })),
    )
  })

  it('agrees by CNP, name and birth date', () => {
    const lines = compare([
      fact('cnp', CNP),
      fact('name', 'ȚÎRLEA-ȘERBAN ANA-MARIA'),
      fact('birth-date', '1989-03-08'),
    ])
    expect([...lines.values()].map(({ result }) => result)).toEqual(['agrees', 'agrees', 'agrees'])
  })

  it('looks at each of hundreds of doubtful CNPs once', async () => {
    const doubtful = Array.from({ length: 300 }, (_, index) =>
      fact('cnp', makeCnp({ sex: 'male', birthDate: '1994-02-11', county: 8, serial: index + 1 }), {
        is_doubtful: true,
      }),
    )
    const read = async () => expect(compare(doubtful).get('cnp')).toMatchObject({ result: 'disagrees' })
    expect(await countCalls('romania/cnp.ts', 'parseCnp', read)).toBe(300)
  })

  it('disagrees by one fact of many, and groups equal values with their files', () => {
    const place: FactPlace = { in: 'tag', tag: '0010,0020', entry: 'a/1.dcm' }
    const lines = compare([
      fact('cnp', CNP),
      fact('cnp', OTHER_CNP, { place }),
      fact('cnp', OTHER_CNP, { file_id: 'two' }),
      fact('name', 'Mureșan Mihai', { file_id: 'two' }),
      fact('name', 'MIHAI MUREŞAN'),
      fact('birth-date', '1994-02-11', { file_id: 'two' }),
    ])
    expect(lines.get('cnp')).toEqual({
      what: 'cnp',
      result: 'disagrees',
      disagreeing: [{ value: OTHER_CNP, fileIds: ['one', 'two'], place }],
      found: [
        { fileId: 'one', place: expect.anything(), agrees: true },
        { fileId: 'one', place, agrees: false },
        { fileId: 'two', place: expect.anything(), agrees: false },
      ],
    })
    expect(lines.get('name')!.disagreeing).toMatchObject([{ fileIds: ['one', 'two'] }])
    expect(lines.get('birth-date')!.disagreeing).toMatchObject([{ value: '1994-02-11', fileIds: ['two'] }])
  })

  it.each([
    'Ana Maria Țîrlea-Șerban',
    'TARLEA SERBAN ANAMARIA',
    'Tirlea Serban Ana',
    'Ţârlea-Şerban A. M.',
    'Serban Ana Maria',
    'Vacarescu Ana Maria',
    'Văcărescu Țîrlea-Șerban Ana Maria',
    'Dna Țîrlea-Șerban Ana Maria Elena',
    'Țîrlea-Șerban V. Ana Maria',
  ])('agrees with the spelling %s', (name) => {
    expect(nameResult(name)).toBe('agrees')
  })

  it.each([
    'Mureșan Mihai',
    'Țîrlea-Șerban Andreea',
    'Țîrlea-Șerban Ana Ioana',
    'Popescu Ana Maria',
    'Țîrlea-Șerban E.',
    'Țîrlea-Popescu Ana Maria',
  ])('disagrees with %s', (name) => {
    expect(nameResult(name)).toBe('disagrees')
  })

  it.each(['Șerban', 'Maria', 'A. M.'])('proves nothing by %s', (name) => {
    expect(nameResult(name)).toBe('absent')
  })

  it.each([
    ['Constantinescu', 'Lăcrămioara', 'Constantinecsu Lacramioara'],
    ['Constantinescu', 'Lăcrămioara', 'Constatinecu Lacramioara'],
    ['Constantinescu', 'Lăcrămioara', 'Constantinescu Lacramoara'],
  ])(
    'accepts a typing error in a long name of %s %s only with the birth date or the CNP',
    (surname, given, name) => {
      const patient = called(surname, given)
      expect(nameResult(name, patient)).toBe('disagrees')
      expect(nameResult(name, patient, [fact('birth-date', '1989-03-08')])).toBe('agrees')
      expect(nameResult(name, patient, [fact('cnp', CNP)])).toBe('agrees')
      // Of another file, or only guessed.
      expect(nameResult(name, patient, [fact('cnp', CNP, { file_id: 'two' })])).toBe('disagrees')
      expect(nameResult(name, patient, [fact('cnp', CNP, { is_doubtful: true })])).toBe('disagrees')
    },
  )

  it.each([
    ['Daniel', 'Daniela'],
    ['Alexandru', 'Alexandra'],
    ['Sorina', 'Corina'],
    ['Costin', 'Cosmin'],
    ['Marian', 'Marina'],
    ['Ion', 'Ioan'],
  ])('does not take %s for %s, a twin', (given, twin) => {
    const born = [fact('birth-date', '1989-03-08')]
    expect(nameResult(`Popescu ${twin}`, called('Popescu', given), born)).toBe('disagrees')
  })

  it('lets a doubtful fact disagree, but not agree', () => {
    const doubtful = { is_doubtful: true }
    const agreeing = compare([
      fact('cnp', CNP, doubtful),
      fact('name', 'T?RLEA ANA', doubtful),
      fact('birth-date', '1989-03-08', doubtful),
    ])
    expect([...agreeing.values()].map(({ result }) => result)).toEqual(['absent', 'absent', 'absent'])
    expect(compare([fact('name', 'MURE?AN MIHAI', doubtful)]).get('name')!.result).toBe('disagrees')
  })

  it('compares with a patient without CNP or birth date', () => {
    const patient = { ...PATIENT, cnp: null, birth_date: null }
    const lines = compare([fact('cnp', CNP), fact('birth-date', '1989-03-08')], patient)
    expect(lines.get('cnp')!.result).toBe('disagrees')
    expect(lines.get('birth-date')!.result).toBe('absent')
    const fromCnp = compare([fact('birth-date', '1990-01-01')], { ...PATIENT, birth_date: null })
    expect(fromCnp.get('birth-date')!.result).toBe('disagrees')
  })

  it('ignores digits that are no valid CNP', () => {
    expect(compare([fact('cnp', '1234567890123')]).get('cnp')!.result).toBe('absent')
  })
})
