import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCnps, makeCnp } from '../../../../../shared/romania/cnp.ts'
import { capitaliseName } from '../../../../../shared/romania/names.ts'
import { FACT_KINDS, MAX_FACTS } from '../../../../../shared/uploads/file-facts.ts'
import { findFacts } from './find-facts.ts'

const CNP = makeCnp({ sex: 'male', birthDate: '1994-02-11', county: 8, serial: 94 })

const find = (text: string) =>
  findFacts(text.split('\n').map((line, index) => ({ text: line, place: { in: 'text', line: index + 1 } })))
const show = (text: string) =>
  find(text).map(({ kind, value, isDoubtful }) => `${kind} ${value}${isDoubtful ? ' ?' : ''}`)

describe('a CNP', () => {
  it.each([
    CNP,
    `${CNP[0]} ${CNP.slice(1, 7)} ${CNP.slice(7)}`,
    `${CNP[0]}-${CNP.slice(1, 7)}-${CNP.slice(7)}`,
    `${CNP[0]}.${CNP.slice(1, 7)}.${CNP.slice(7)}`,
    `${CNP.slice(0, 7)} ${CNP.slice(7)}`,
    `${CNP[0]} ${CNP.slice(1, 3)} ${CNP.slice(3, 5)} ${CNP.slice(5, 7)} ${CNP.slice(7, 9)} ${CNP.slice(9, 12)} ${CNP[12]}`,
    [...CNP].join(' '),
    [...CNP].join('\u00a0'),
  ])('is found as %s', (written) => {
    expect(show(`Codul ${written}.`)).toEqual([`cnp ${CNP}`])
  })

  it('with a wrong check digit, or inside a longer number, is none', () => {
    const wrong = `${CNP.slice(0, 12)}${(Number(CNP[12]) + 1) % 10}`
    expect(show(`CNP: ${wrong}\n7${CNP}\n${CNP}7`)).toEqual([])
  })
})

describe('a name', () => {
  it.each([
    ['Pacient: MUREŞAN MIHAI', 'Mureșan Mihai'],
    ['Numele pacientului: Mureșan Mihai, 30 ani', 'Mureșan Mihai'],
    ['Nume și prenume........: Mureșan Mihai-Andrei', 'Mureșan Mihai-Andrei'],
    ['Subsemnatul(a) Mureșan Mihai, domiciliat în Cluj', 'Mureșan Mihai'],
    ['Prenume și nume: Mihai Mureșan', 'Mureșan Mihai'],
    ['Pacient: Mihai MUREȘAN', 'Mureșan Mihai'],
    ['Pacient: Mureșan I. Mihai (fost Popa)', 'Mureșan Mihai'],
    ['Pacient: Dl. Mureșan Mihai', 'Mureșan Mihai'],
    ['Pacient: Mureșan, Mihai', 'Mureșan Mihai'],
    ['Pacient: Van der Berg Ana', 'Van der Berg Ana'],
    ['Pacient: Mureșan Mihai în vârstă de 30 de ani', 'Mureșan Mihai'],
    ['Nume: Mureșan Prenume: Mihai', 'Mureșan Mihai'],
    ['Prenume: Mihai\nNume: Mureșan', 'Mureșan Mihai'],
    ['Nume pacient\nMUREȘAN MIHAI', 'Mureșan Mihai'],
    ['Nume      Prenume     Sex\nMureșan   Mihai       M', 'Mureșan Mihai'],
    ['P A C I E N T :  M U R E Ș A N   M I H A I', 'Mureșan Mihai'],
  ])('is read in %j', (text, name) => {
    expect(show(text).filter((fact) => fact.startsWith('name'))).toEqual([`name ${name}`])
  })

  it.each([
    'Mureșan Mihai',
    'Pacient: stare generală bună',
    'Pacient: Stare generală bună, afebril',
    'Pacient: Afebril',
    'Pacient: Mare Durere abdominală',
    'Pacientul Mureșan Mihai s-a prezentat',
    'Pacient: Dr. Popa Ion',
    'Pacient: Analize Laborator',
    'Medic trimițător\nNume: Popa\nPrenume: Ion',
    'Nume medic: Popa Ion',
    'Nume anterior: Popa Ioana',
    'Aparținător\nNume și prenume: Popa Ion',
    'Prenumele mamei: Ana\nNumele mamei: Popa',
    'Medic curant: Dr. Popa Ion\nPacient: Popa Ion',
    'Nume:\nPrenume:\nCNP:',
  ])('is not %j', (text) => {
    expect(show(text).filter((fact) => fact.startsWith('name'))).toEqual([])
  })
})

describe('a date', () => {
  it.each([
    'Data nașterii: 11.02.1994',
    'DATA NASTERII 11/02/1994',
    'Data naşterii: 1994-02-11',
    'Născut(ă) la data de 11 februarie 1994',
    'Mureșan Mihai, n. 11.02.1994, Cluj',
    'Născut la 11 feb. 1994',
    'Date of birth: 11-Feb-1994',
    'Data nașterii\n11.02.1994',
  ])('of a birth is read in %j', (text) => {
    expect(show(text).filter((fact) => !fact.startsWith('name'))).toEqual(['birth-date 1994-02-11'])
  })

  it.each([
    'Data nașterii: 31.02.1994',
    'Data nașterii: 11.02.2994',
    'Data nașterii: 11.13.1994',
    'Data nașterii: 11.02.94',
    'Data nașterii: 11.02.19945',
    'Data: 11.02.1994',
    '11.02.1994',
  ])('is not read in %j', (text) => {
    expect(show(text)).toEqual([])
  })

  it('of an examination has its own labels', () => {
    expect(
      show('Data examinării: 03.03.2024\nRecoltat: 02.03.2024 08:15\nData eliberării: 04.03.2024'),
    ).toEqual(['examined-on 2024-03-03', 'examined-on 2024-03-02'])
  })
})

describe('other facts', () => {
  it('are accession numbers, sending doctors and institutions after their labels', () => {
    expect(
      show(
        'Buletin de analize nr. 12345/03.03.2024\nCod de bare 2401234567\nAccession No: CT-2024/17\nMedic de familie: Dr. Popa Ion\n' +
          'Unitate trimițătoare: Spitalul „Zorile”\nNr. examinare: 12\nCod probă: ' +
          CNP,
      ),
    ).toEqual([
      `cnp ${CNP}`,
      'accession 12345',
      'examined-on 2024-03-03',
      'accession 2401234567',
      'accession CT-2024/17',
      'doctor Popa Ion',
      'institution Spitalul „Zorile”',
    ])
  })

  it('name a doctor without a label only as doubtful', () => {
    expect(show('Dr. Popa Ion')).toEqual(['doctor Popa Ion ?'])
  })
})

describe('any text', () => {
  const word = fc.constantFrom(
    'Nume:',
    'Prenume:',
    'Pacient:',
    'Pacient',
    'Data nașterii:',
    'n.',
    'CNP',
    CNP,
    '11.02.1994',
    'MUREȘAN',
    'Mihai',
    'Dr.',
    'Medic trimițător:',
    'Nr. buletin',
    '12345',
    '\t',
    '   ',
    '\n',
    '(',
    ')',
    '-',
    'ș',
    'Secția:',
    'A',
    '\u0301',
    '\ud800',
    '\0',
  )
  const text = fc.array(fc.oneof(word, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 40 })

  it('states only normalised facts with the place of a line, whatever it is', () => {
    fc.assert(
      fc.property(text, (parts) => {
        for (const { kind, value, place } of find(parts.join(' '))) {
          expect(FACT_KINDS).toContain(kind)
          expect(value.length).toBeGreaterThan(0)
          expect(value.length).toBeLessThanOrEqual(300)
          expect(value).toBe(value.trim().normalize('NFC'))
          expect(value).not.toMatch(/[\0\n\tşţ]|\p{Cs}/u)
          expect(place.line).toBeGreaterThan(0)
          if (kind === 'cnp') expect(findCnps(value)).toHaveLength(1)
          if (kind === 'birth-date' || kind === 'examined-on') expect(value).toMatch(/^\d{4}-\d\d-\d\d$/)
          if (kind === 'name') expect(value).toBe(capitaliseName(value))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('states a labelled person in any of the forms, and nobody else', () => {
    const name = fc.constantFrom('Mureșan', 'POPA', 'Ionescu-Țuțea', 'Văcărescu', 'Bălan')
    const given = fc.constantFrom('Mihai', 'ANA MARIA', 'Ștefan', 'Ion')
    const label = fc.constantFrom('Pacient:', 'Nume și prenume:', 'NUME PACIENT :', 'Numele pacientului =')
    fc.assert(
      fc.property(label, name, given, (before, surname, names) => {
        const isCapital = (part: string) => part === part.toLocaleUpperCase('ro')
        const inOrder = isCapital(names) && !isCapital(surname) ? [names, surname] : [surname, names]
        expect(show(`${before} ${surname} ${names}`)).toEqual([`name ${capitaliseName(inOrder.join(' '))}`])
      }),
    )
  })

  it.each([
    '1',
    '1 ',
    ' ',
    '\t',
    'Nume:',
    'Nume: ',
    'Nume și ',
    'Pacient: Ab Cd ',
    'Nume: A Prenume: B ',
    'Dr. ',
    'a ',
    'a b c  ',
    'n. 1',
    'nr. buletin ',
    '(a',
    ' - ',
    'ș',
    '1.',
    `${CNP} `,
  ])('of 200,000 characters of %j takes a few seconds at most', (part) => {
    for (const lines of [part, `${part}\n`]) {
      const long = lines.repeat(Math.ceil(200_000 / lines.length)).slice(0, 200_000)
      const before = process.cpuUsage()
      expect(find(long).length).toBeLessThanOrEqual(MAX_FACTS)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1e6).toBeLessThan(4)
    }
  })
})
