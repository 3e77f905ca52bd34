import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  capitaliseName,
  keySpellings,
  keyWords,
  nameKey,
  namePairs,
  nameWords,
  nearWords,
  normaliseText,
  queryWords,
  searchWords,
} from './names.ts'

const LETTERS = [...'aăâbcdefghiîjklmnopqrsștțuvwxyz']
const word = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 6 })
  .map((letters) => letters.join(''))

describe('normaliseText', () => {
  it.each([
    ['  Ştefan   Ţîrlea ', 'Ștefan Țîrlea'],
    ['S\u0326tefan', 'Ștefan'],
    ['S\u0327tefan', 'Ștefan'],
    ['Ion\u0000\u0007\u009f Pop', 'Ion Pop'],
    ['Ion\u202e\u2066 Pop\u200b\ufeff\u00ad', 'Ion Pop'],
    ['Ion\r\nPop\tAna\u00a0Maria', 'Ion Pop Ana Maria'],
    ['Ion \u200b Pop', 'Ion Pop'],
    ['Ion\ud800 Pop', 'Ion Pop'],
  ])('turns %j into %j', (text, normal) => {
    expect(normaliseText(text)).toBe(normal)
  })

  it('does not change a normalised text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const once = normaliseText(text)
        expect(normaliseText(once)).toBe(once)
        expect(once).toBe(once.normalize('NFC'))
      }),
    )
  })
})

describe('nameKey', () => {
  it('sorts by bytes as a Romanian dictionary does', () => {
    const collator = new Intl.Collator('ro', { sensitivity: 'base' })
    expect(
      [...LETTERS].sort((a, b) => Buffer.compare(Buffer.from(nameKey(a)), Buffer.from(nameKey(b)))),
    ).toEqual(LETTERS)
    fc.assert(
      fc.property(word, word, (a, b) => {
        const byKey = Buffer.compare(Buffer.from(nameKey(a)), Buffer.from(nameKey(b)))
        expect(byKey).toBe(Math.sign(collator.compare(a, b)))
      }),
      { numRuns: 3000 },
    )
  })

  it('sorts a shorter surname first, for any given name', () => {
    const names = [
      'Pop Zamfira',
      'Popa Ana',
      'Popă Ana',
      'Popescu Ana',
      'Șerban Ana',
      'Tănase Ana',
      'Țurcanu Ana',
    ]
    const keys = names.map(nameKey)
    expect([...keys].sort()).toEqual(keys)
  })

  it('ignores case, other accents, hyphens and apostrophes', () => {
    expect(nameKey('MÜLLER-Lüdenscheidt')).toBe(nameKey('muller  ludenscheidt'))
    expect(nameKey("O'Connor")).toBe(nameKey('O’Connor'))
    expect(nameKey('Şerban')).toBe(nameKey('ȘERBAN'))
    expect(nameKey('Łukasz Weiß')).toBe('lukasz weiss')
  })
})

describe('keyWords', () => {
  it('has the words that searchWords has of the name', () => {
    const letter = fc.constantFrom(...'aăâbiîsșştțţüé 1-')
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 12 }), (letters) => {
        const name = letters.join('')
        const words = keyWords(nameKey(name)).filter((word) => word !== '')
        expect([...new Set(words)].sort()).toEqual(searchWords(name).sort())
      }),
    )
  })
})

describe('keySpellings', () => {
  it.each(['Suciu', 'Șuteu', 'Țară', 'Înna', 'Ștîr', 'Âță', 'Ionescu'])(
    'returns the spelling with which the key of %s begins, for a beginning without diacritics',
    (name) => {
      const [folded = ''] = queryWords(name)
      for (const letters of [1, 2]) {
        const spellings = keySpellings(folded.slice(0, letters))
        expect(spellings.some((spelling) => nameKey(name).startsWith(spelling))).toBe(true)
      }
    },
  )

  it('returns only the spellings that the letters allow', () => {
    expect(keySpellings('su')).toEqual(['su', 's{u'])
    expect(keySpellings('aa')).toHaveLength(9)
    expect(keySpellings('po')).toEqual(['po'])
  })
})

describe('searchWords', () => {
  it('folds to plain letters, splits hyphens, keeps each word once', () => {
    expect(searchWords('Șerban Ana-Maria ȘERBAN')).toEqual(['serban', 'ana', 'maria'])
    expect(searchWords('Nguyễn Thị Lan')).toEqual(['nguyen', 'thi', 'lan'])
    expect(searchWords("O'Connor, Siobhán (2)")).toEqual(['o', 'connor', 'siobhan', '2'])
    expect(searchWords(' - ')).toEqual([])
  })

  it('returns both spellings of an inner â', () => {
    expect(searchWords('Târgu')).toEqual(['targu', 'tirgu'])
    expect(searchWords('Tîrgu')).toEqual(['tirgu', 'targu'])
    expect(searchWords('Ion Îlie')).toEqual(['ion', 'ilie'])
    expect(searchWords('Sfîntu-Gheorghe')).toEqual(['sfintu', 'sfantu', 'gheorghe'])
  })

  it('includes every word of a query for this name, in either spelling', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        const stored = searchWords(words.join(' '))
        for (const each of queryWords(words.join('-').toUpperCase())) expect(stored).toContain(each)
        for (const each of stored) expect(each).toMatch(/^[a-z0-9]+$/)
      }),
    )
  })
})

describe('namePairs', () => {
  it('returns each word alone and each two words once, the smaller first', () => {
    expect(namePairs(['Popescu', 'Ion'])).toEqual([
      { firstPrefix: 'ion', secondPrefix: '', firstWord: 'ion', secondWord: '' },
      { firstPrefix: 'ion', secondPrefix: 'pop', firstWord: 'ion', secondWord: 'popescu' },
      { firstPrefix: 'pop', secondPrefix: '', firstWord: 'popescu', secondWord: '' },
    ])
  })

  it('uses a short word whole', () => {
    expect(namePairs(['Li'])).toEqual([
      { firstPrefix: 'li', secondPrefix: '', firstWord: 'li', secondWord: '' },
    ])
  })

  it('returns every pair of words, in a fixed order, in at most 300 rows', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const rows = namePairs([words.join(' ')])
        const count = nameWords([words.join(' ')]).length
        expect(count).toBeLessThanOrEqual(24)
        expect(rows).toHaveLength(count + (count * (count - 1)) / 2)
        expect(new Set(rows.map(({ firstWord, secondWord }) => `${firstWord} ${secondWord}`)).size).toBe(
          rows.length,
        )
        for (const row of rows) {
          expect(row.firstPrefix).toBe(row.firstWord.slice(0, 3))
          expect(row.secondPrefix).toBe(row.secondWord.slice(0, 3))
          if (row.secondWord !== '') expect(row.firstPrefix <= row.secondPrefix).toBe(true)
        }
      }),
    )
  })
})

describe('nameWords', () => {
  it.each([
    [['Popescu', 'Ana-Maria', ''], 'popescu ana maria anamaria'],
    [["O'Connor", 'Ion', ''], 'o connor ion oconnor'],
    [['Müller', 'Eva', 'Schön'], 'muller eva schon mueller schoen'],
    [['De la Cruz', 'Ion', ''], 'de la cruz ion dela delacruz lacruz'],
    [['a b c d e f g h i', 'j', ''], 'a b c d e f g h i j ab abc bc bcd cd cde de def ef efg fg fgh gh ghi'],
  ])('of %j are %s', (parts, expected) => {
    expect(nameWords(parts).join(' ')).toBe(expected)
  })
})

describe('nearWords', () => {
  it('returns what one typing error makes of a word, and no more', () => {
    const near = nearWords('vaduva')
    for (const each of ['vaduv', 'aduva', 'vadduva', 'vaduvaa', 'vadura', 'vaudva', 'avduva', 'xvaduva'])
      expect(near).toContain(each)
    for (const each of ['vaduva', 'vadu', 'vadav', 'vudava', '']) expect(near).not.toContain(each)
    expect(near.length).toBeLessThan(400)
    expect(new Set(near).size).toBe(near.length)
  })

  it.each(['ana', '', 'a1bcd'])('returns none for %j', (word) => {
    expect(nearWords(word)).toEqual([])
  })
})

describe('capitaliseName', () => {
  it.each([
    ['ȚĂRANU-șerban', 'Țăranu-Șerban'],
    ['ȚĂRANU-șerban ana maria', 'Țăranu-Șerban Ana Maria'],
    ['ana maria', 'Ana Maria'],
    ['ana-maria', 'Ana-Maria'],
    ["O'CONNOR", "O'Connor"],
    ['o’connor', 'O’Connor'],
    ["D'ANGELO", "D'Angelo"],
    ['ŞERBAN  ION', 'Șerban Ion'],
    ['ÎNĂȘEL-ÂNDREI', 'Înășel-Ândrei'],
    ['MCDONALD', 'McDonald'],
    ['mcgregor', 'McGregor'],
    ['POPESCU DE LA CRUZ', 'Popescu de la Cruz'],
    ['IONESCU-VON-BRAUN', 'Ionescu-von-Braun'],
    ['VAN DIJK', 'Van Dijk'],
    ['NGUYEN LE', 'Nguyen Le'],
    ['POPESCU I. ION', 'Popescu I. Ion'],
  ])('writes %s as %s', (typed, proposed) => expect(capitaliseName(typed)).toBe(proposed))

  it.each(['Ana-Maria', 'McDonald', 'MacArthur', 'van Dijk', 'de la Cruz', 'Popescu I.', 'Mc', ''])(
    'leaves %s',
    (name) => expect(capitaliseName(name)).toBe(name),
  )

  const part = fc.oneof(
    fc.constantFrom(
      'de',
      'LA',
      'van',
      'Von',
      'MCDONALD',
      'mc',
      'McDonald',
      "o'",
      'I.',
      'ßo',
      'ﬁlip',
      'ǆ',
      '-',
      ' ',
    ),
    fc.string({
      unit: fc.constantFrom(...LETTERS, ...LETTERS.map((letter) => letter.toUpperCase())),
      maxLength: 6,
    }),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  const name = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  const separated = fc
    .array(fc.tuple(part, fc.constantFrom(' ', '-', "'")), { maxLength: 5 })
    .map((parts) => parts.flat().join(''))

  it('proposes nothing for its own proposal, and changes capitals alone', () => {
    fc.assert(
      fc.property(fc.oneof(name, separated), (typed) => {
        const proposal = capitaliseName(typed)
        expect(capitaliseName(proposal)).toBe(proposal)
        expect(queryWords(proposal)).toEqual(queryWords(typed))
      }),
      { numRuns: 5000 },
    )
  })
})
