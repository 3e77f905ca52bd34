import { createNode, type FormKitNode, type FormKitOptions } from '@formkit/core'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { formKit } from './form-kit.ts'
import { romanian } from './messages.ts'
import { rules } from './rules.ts'

const options = { plugins: formKit.plugins ?? [], config: { ...formKit.config } }

/** Creates the node of a field, without rendering. */
const createField = (validation: string, value: unknown, position: FormKitOptions = {}, label = 'câmpul') =>
  createNode({
    ...position,
    type: 'input',
    value,
    ...options,
    props: { type: 'text', label, validation },
  })

const sentencesOf = (node: FormKitNode) =>
  Object.values(node.store)
    .filter((message) => message?.type === 'validation')
    .map(({ value }) => value)

/** Returns the error sentences of a value; none if the value is valid. */
const findErrors = (validation: string, value: unknown) => sentencesOf(createField(validation, value))

const DECOMPOSED = 'ștefăniță'.normalize('NFD')

/** By rule, as written in `validation`: values that pass, and values that fail with their sentences. */
const table: Record<string, { accepts: unknown[]; rejects: [value: unknown, sentence: string][] }> = {
  accepted: {
    accepts: ['yes', 'on', '1', 1, true, 'true'],
    rejects: [
      [false, 'Te rog acceptă câmpul.'],
      [undefined, 'Te rog acceptă câmpul.'],
    ],
  },
  alpha: {
    accepts: ['ăâîșțĂÂÎȘȚ', 'Ion', DECOMPOSED],
    rejects: [
      ['Ana Maria', 'Câmpul poate conține doar litere.'],
      ['ș7', 'Câmpul poate conține doar litere.'],
    ],
  },
  'alpha:latin': { accepts: ['Stefan'], rejects: [['Ștefan', 'Câmpul poate conține doar litere.']] },
  alpha_spaces: {
    accepts: ['Ana Țuțea', DECOMPOSED],
    rejects: [['Ana-Maria', 'Câmpul poate conține doar litere și spații.']],
  },
  alphanumeric: {
    accepts: ['Șos7', DECOMPOSED],
    rejects: [['nr. 7', 'Câmpul poate conține doar litere și cifre.']],
  },
  'between:2,10': {
    accepts: [2, '10', 5.5],
    rejects: [
      [11, 'Câmpul trebuie să fie între 2 și 10.'],
      ['șase', 'Câmpul trebuie să fie între 2 și 10.'],
    ],
  },
  'between:10,0.5': { accepts: ['0.5'], rejects: [['0.4', 'Câmpul trebuie să fie între 0,5 și 10.']] },
  'between:1900,2100': { accepts: ['1989'], rejects: [['89', 'Câmpul trebuie să fie între 1900 și 2100.']] },
  contains_alpha: { accepts: ['123ș', 'a'], rejects: [['123 !', 'Câmpul trebuie să conțină litere.']] },
  contains_alpha_spaces: {
    accepts: ['1 2', '1î2'],
    rejects: [['12', 'Câmpul trebuie să conțină litere sau spații.']],
  },
  contains_alphanumeric: {
    accepts: ['--ț', '--7'],
    rejects: [['--', 'Câmpul trebuie să conțină litere sau cifre.']],
  },
  contains_lowercase: {
    accepts: ['ABCș', 'Â mic: â'],
    rejects: [['ABC ȘȚ', 'Câmpul trebuie să conțină litere mici.']],
  },
  contains_numeric: { accepts: ['etaj 2'], rejects: [['etajul doi', 'Câmpul trebuie să conțină cifre.']] },
  contains_symbol: {
    accepts: ['țin&minte'],
    rejects: [['ținminte', 'Câmpul trebuie să conțină un simbol.']],
  },
  contains_uppercase: {
    accepts: ['abcȘ', 'Ă'],
    rejects: [['abc șț', 'Câmpul trebuie să conțină majuscule.']],
  },
  'date_after:2026-02-28': {
    accepts: ['2026-03-01'],
    rejects: [
      ['2026-02-28', 'Câmpul trebuie să fie după 28.02.2026.'],
      ['în martie', 'Câmpul trebuie să fie după 28.02.2026.'],
    ],
  },
  date_after: { accepts: ['2999-01-01'], rejects: [['2000-01-01', 'Câmpul trebuie să fie în viitor.']] },
  'date_after_or_equal:2026-02-28': {
    accepts: ['2026-02-28'],
    rejects: [['2026-02-27', 'Câmpul trebuie să fie cel mai devreme 28.02.2026.']],
  },
  'date_before:2026-02-28': {
    accepts: ['2026-02-27'],
    rejects: [['2026-02-28', 'Câmpul trebuie să fie înainte de 28.02.2026.']],
  },
  date_before: { accepts: ['2000-01-01'], rejects: [['2999-01-01', 'Câmpul trebuie să fie în trecut.']] },
  'date_before_or_equal:2026-02-28': {
    accepts: ['2026-02-28'],
    rejects: [['2026-03-01', 'Câmpul trebuie să fie cel mai târziu 28.02.2026.']],
  },
  'date_between:2026-01-01,2026-12-31': {
    accepts: ['2026-01-01', '2026-12-31'],
    rejects: [['2027-01-01', 'Câmpul trebuie să fie între 01.01.2026 și 31.12.2026.']],
  },
  'date_between:2999-12-31': {
    accepts: ['2999-01-01'],
    rejects: [['2000-01-01', 'Câmpul trebuie să fie între azi și 31.12.2999.']],
  },
  'date_format:DD.MM.YYYY': {
    accepts: ['28.02.2026'],
    rejects: [['2026-02-28', 'Câmpul nu este o dată validă; folosește formatul zz.ll.aaaa.']],
  },
  date_format: { accepts: ['2026-02-28'], rejects: [['mâine', 'Câmpul nu este o dată validă.']] },
  email: {
    accepts: ['ana@exemplu.ro', ' Ana@exemplu.ro '],
    rejects: [
      ['ștefan@exemplu.ro', 'Te rog folosește o adresă de email validă.'],
      ['ana@exemplu', 'Te rog folosește o adresă de email validă.'],
    ],
  },
  'ends_with:ș,ț,.pdf': {
    accepts: ['oraș', 'băieț', 'fișă.pdf'],
    rejects: [['fișă.doc', 'Câmpul trebuie să se termine cu „ș”, „ț” sau „.pdf”.']],
  },
  'is:da,nu știu': {
    accepts: ['da', 'nu știu'],
    rejects: [['nu stiu', 'Câmpul nu este o valoare acceptată.']],
  },
  'length:2,20': {
    accepts: ['îi', 'ș'.repeat(20)],
    rejects: [
      ['ă', 'Câmpul trebuie să aibă între 2 și 20 de caractere.'],
      ['ă'.repeat(21), 'Câmpul trebuie să aibă între 2 și 20 de caractere.'],
    ],
  },
  'length:1,19': {
    accepts: ['x'],
    rejects: [['x'.repeat(20), 'Câmpul trebuie să aibă între 1 și 19 caractere.']],
  },
  'length:13,13': {
    accepts: ['1'.repeat(13)],
    rejects: [['1'.repeat(12), 'Câmpul trebuie să aibă 13 caractere.']],
  },
  'length:0,101': {
    accepts: ['ț'],
    rejects: [['ț'.repeat(102), 'Câmpul trebuie să aibă cel mult 101 caractere.']],
  },
  'length:0,120': {
    accepts: ['ț'],
    rejects: [['ț'.repeat(121), 'Câmpul trebuie să aibă cel mult 120 de caractere.']],
  },
  'length:2': { accepts: ['aâ'], rejects: [['a', 'Câmpul trebuie să aibă cel puțin 2 caractere.']] },
  'length:1,2': {
    accepts: [['a']],
    rejects: [[['a', 'b', 'c'], 'Câmpul trebuie să aibă între 1 și 2 elemente.']],
  },
  lowercase: {
    accepts: ['ăâîșț', DECOMPOSED],
    rejects: [
      ['Șarpe', 'Câmpul poate conține doar litere mici.'],
      ['ăâÎșț', 'Câmpul poate conține doar litere mici.'],
    ],
  },
  'matches:/^[A-ZĂÂÎȘȚ]{2}$/,x': {
    accepts: ['ȘȚ', 'x'],
    rejects: [['șț', 'Câmpul nu este o valoare acceptată.']],
  },
  'max:3': {
    accepts: ['3', -1, ['a', 'b', 'c']],
    rejects: [
      ['3.5', 'Câmpul trebuie să fie cel mult 3.'],
      [['a', 'b', 'c', 'd'], 'Câmpul: cel mult 3.'],
    ],
  },
  max: { accepts: [10], rejects: [[11, 'Câmpul trebuie să fie cel mult 10.']] },
  'min:2': {
    accepts: [2, '7', ['a', 'b']],
    rejects: [
      ['1', 'Câmpul trebuie să fie cel puțin 2.'],
      [['a'], 'Câmpul: cel puțin 2.'],
    ],
  },
  min: { accepts: [1], rejects: [[0, 'Câmpul trebuie să fie cel puțin 1.']] },
  'not:prenume,șef': {
    accepts: ['sef'],
    rejects: [['șef', '„șef” nu este o valoare acceptată pentru câmpul.']],
  },
  number: {
    accepts: ['12', '-1.5', 3],
    rejects: [['doisprezece', 'Câmpul trebuie să fie un număr.']],
  },
  required: {
    accepts: ['ș', 0, false, ['a']],
    rejects: [
      ['', 'Câmpul este necesar.'],
      [undefined, 'Câmpul este necesar.'],
      [null, 'Câmpul este necesar.'],
      [[], 'Câmpul este necesar.'],
    ],
  },
  'required:trim': { accepts: [' ț '], rejects: [['   ', 'Câmpul este necesar.']] },
  'starts_with:Str.,Șos.': {
    accepts: ['Șos. Olteniței', 'Str. Lungă'],
    rejects: [['Sos. Olteniței', 'Câmpul trebuie să înceapă cu „Str.” sau „Șos.”.']],
  },
  symbol: {
    accepts: ['!?&', '-'],
    rejects: [
      ['ă', 'Câmpul poate conține doar simboluri.'],
      ['!ț', 'Câmpul poate conține doar simboluri.'],
    ],
  },
  uppercase: {
    accepts: ['ĂÂÎȘȚ', 'ȘTEFĂNIȚĂ'.normalize('NFD')],
    rejects: [['ĂÂîȘȚ', 'Câmpul poate conține doar litere mari.']],
  },
  url: {
    accepts: ['https://exemplu.ro/fișă', 'http://exemplu.ro'],
    rejects: [
      ['exemplu.ro', 'Introduceți o adresă URL validă.'],
      ['javascript:alert(1)', 'Introduceți o adresă URL validă.'],
    ],
  },
}

/** The rules of 5.2. */
const RULES =
  `accepted, alpha, alpha_spaces, alphanumeric, between, confirm, contains_alpha, contains_alpha_spaces,
  contains_alphanumeric, contains_lowercase, contains_numeric, contains_symbol, contains_uppercase, date_after, date_before,
  date_between, date_format, email, ends_with, is, length, lowercase, matches, max, min, not, number, require_one, required,
  starts_with, symbol, uppercase, url`.split(/,\s+/)

const OF_TWO_FIELDS = ['confirm', 'require_one', 'date_after_node', 'date_before_node']
const OF_THE_PRODUCT = ['cnp', 'cui', 'phone', 'new_password']

/**
 * Returns the errors of the second of two fields of a form: „E-mail” with a value and no rule, „Repetă
 * adresa” with both.
 */
function findErrorsBeside(rule: string, other: unknown, value: unknown): unknown[] {
  const parent = createNode({ type: 'group', ...options, props: { type: 'group' } })
  createField('', other, { parent, name: 'email' }, 'E-mail')
  const field = createField(rule, value, { parent, name: 'other' }, 'repetă adresa')
  return sentencesOf(field)
}

describe('rules', () => {
  it('include all rules of the specification, each with a sentence and a test [5.2]', () => {
    expect(RULES).toHaveLength(33)
    expect(Object.keys(rules)).toEqual(expect.arrayContaining(RULES))
    expect(Object.keys(romanian.validation)).toEqual(expect.arrayContaining(Object.keys(rules)))
    const tested = Object.keys(table).map((rule) => rule.replace(/:.*/, ''))
    expect(new Set([...tested, ...OF_TWO_FIELDS, ...OF_THE_PRODUCT])).toEqual(new Set(Object.keys(rules)))
  })

  it.each(
    Object.entries(table).flatMap(([rule, { accepts }]) => accepts.map((value) => [rule, value] as const)),
  )('%s accepts %j [5.2]', (rule, value) => {
    expect(findErrors(rule, value)).toEqual([])
  })

  it.each(
    Object.entries(table).flatMap(([rule, { rejects }]) => rejects.map((row) => [rule, ...row] as const)),
  )('%s rejects %j: %s [5.2] [5.5]', (rule, value, sentence) => {
    expect(findErrors(rule, value)).toEqual([sentence])
    // Romanian ș and ț have a comma below, not a cedilla.
    expect(sentence).toMatch(/^[^ŞşŢţ]+\.$/)
  })

  it('confirm compares two fields [5.2] [5.5]', () => {
    expect(findErrorsBeside('confirm:email', 'ștefan', 'ștefan')).toEqual([])
    expect(findErrorsBeside('confirm:email', 'ștefan', 'stefan')).toEqual(['Repetă adresa nu se potrivește.'])
  })

  it('require_one requires one of two fields [5.2] [5.5]', () => {
    expect(findErrorsBeside('require_one:email', 'ă', '')).toEqual([])
    expect(findErrorsBeside('require_one:email', '', 'ă')).toEqual([])
    expect(findErrorsBeside('require_one:email', '', '')).toEqual(['repetă adresa sau E-mail este necesar.'])
  })

  it('two fields with require_one name each other, also the one that is created first [5.5]', async () => {
    const parent = createNode({ type: 'group', ...options, props: { type: 'group' } })
    const [first, second] = [
      createField('require_one:phone', '', { parent, name: 'email' }, 'E-mail'),
      createField('require_one:email', '', { parent, name: 'phone' }, 'Telefon'),
    ]
    await vi.waitFor(() =>
      expect([sentencesOf(first), sentencesOf(second)]).toEqual([
        ['E-mail sau Telefon este necesar.'],
        ['Telefon sau E-mail este necesar.'],
      ]),
    )
  })

  it('date_after_node and date_before_node compare a day with another field', () => {
    expect(findErrorsBeside('date_after_node:email', '2026-01-01', '2026-01-02')).toEqual([])
    expect(findErrorsBeside('date_after_node:email', '2026-01-02', '2026-01-02')).toEqual([
      'Repetă adresa trebuie să fie după E-mail.',
    ])
    expect(findErrorsBeside('date_before_node:email', '2026-01-02', '2026-01-01')).toEqual([])
    expect(findErrorsBeside('date_before_node:email', '2026-01-02', '2026-01-02')).toEqual([
      'Repetă adresa trebuie să fie înainte de E-mail.',
    ])
  })

  it.each([
    ['cnp', '1630615123457', '1630615123456', /^CNP-ul nu este corect/],
    ['cui', 'RO 18547290', '18547291', /^CUI-ul nu este corect/],
    ['new_password:8', 'vară roz', 'vară ro', /^Parola .*8 caractere/],
    ['phone', '0722 123 456', '12', /^Numărul începe cu 0 în România/],
  ])('%s accepts what the server accepts and has the same sentence', (rule, good, bad, sentence) => {
    expect(findErrors(rule, good)).toEqual([])
    expect(findErrors(rule, bad)).toEqual([expect.stringMatching(sentence)])
  })

  it('a misconfigured rule fails with a Romanian sentence', () => {
    expect(findErrors('between:unu,doi', 1)).toEqual(['Câmpul este configurat greșit și nu poate fi trimis.'])
  })

  it('between combines min and max, with the bounds in any order [5.2]', () => {
    const number = fc.integer({ min: -1000, max: 1000 })
    fc.assert(
      fc.property(number, number, number, (a, b, value) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        const isBetween = findErrors(`between:${a},${b}`, value).length === 0
        expect(isBetween).toBe(low <= value && value <= high)
        expect(findErrors(`min:${low}|max:${high}`, value).length === 0).toBe(isBetween)
        expect(findErrors(`between:${b},${a}`, value)).toEqual(findErrors(`between:${a},${b}`, value))
      }),
    )
  })

  it('length rejects shorter and longer texts and names its bounds with „de” from 20 on [5.2] [5.5]', () => {
    const bound = fc.integer({ min: 1, max: 300 })
    fc.assert(
      fc.property(bound, bound, fc.integer({ min: 1, max: 300 }), (a, b, length) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)]
        const sentences = findErrors(`length:${a},${b}`, 'ț'.repeat(length))
        const noun = max % 100 === 0 || max % 100 >= 20 ? 'de caractere' : 'caractere'
        const bounds =
          min < max ? `între ${min} și ${max} ${noun}` : max === 1 ? '1 caracter' : `${max} ${noun}`
        const expected = length >= min && length <= max ? [] : [`Câmpul trebuie să aibă ${bounds}.`]
        expect(sentences).toEqual(expected)
      }),
    )
  })
})

describe('sentences', () => {
  it('match the specification exactly [5.4] [5.5]', () => {
    expect(sentencesOf(createField('required', '', {}, 'Numele'))).toEqual(['Numele este necesar.'])
    expect(sentencesOf(createField('number', 'x', {}, 'Vârsta'))).toEqual(['Vârsta trebuie să fie un număr.'])
    expect(findErrors('email', 'x')).toEqual(['Te rog folosește o adresă de email validă.'])
    expect(findErrors('url', 'x')).toEqual(['Introduceți o adresă URL validă.'])
    expect(romanian.ui).toMatchObject({
      incomplete: 'Pare rău, unele câmpuri nu sunt corect completate.',
    })
  })

  it('begin with a capital letter, including Romanian letters [5.5]', () => {
    expect(sentencesOf(createField('required', '', {}, 'ținta'))).toEqual(['Ținta este necesar.'])
    expect(sentencesOf(createField('alpha', '1', {}, 'înălțimea'))).toEqual([
      'Înălțimea poate conține doar litere.',
    ])
  })

  it('of the library’s own inputs are correct Romanian [1.6]', () => {
    expect(romanian.ui).toEqual({
      add: 'Adaugă',
      remove: 'Elimină',
      removeAll: 'Elimină tot',
      incomplete: 'Pare rău, unele câmpuri nu sunt corect completate.',
      submit: 'Trimite',
      noFiles: 'Nu este ales niciun fișier',
      moveUp: 'Mută mai sus',
      moveDown: 'Mută mai jos',
      isLoading: 'Se încarcă…',
      loadMore: 'Încarcă mai multe',
      next: 'Înainte',
      prev: 'Înapoi',
      addAllValues: 'Adaugă toate valorile',
      addSelectedValues: 'Adaugă valorile alese',
      removeAllValues: 'Elimină toate valorile',
      removeSelectedValues: 'Elimină valorile alese',
      chooseDate: 'Alege data',
      changeDate: 'Schimbă data',
      summaryHeader: 'Formularul are greșeli.',
      close: 'Închide',
      open: 'Deschide',
    })
  })
})
