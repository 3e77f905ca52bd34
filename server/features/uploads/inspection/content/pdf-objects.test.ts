import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makePdf, makeRawPdf } from '../../../../../test/hostile-files.ts'
import { findActiveObjects } from './pdf-objects.ts'

const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>'
const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>'

/** Tokens of an action that starts by itself, and what the check has to name at least. */
const ACTIONS = [
  ['<<', '/S', '/Launch', '/F', '(cmd.exe)', '>>'],
  ['<<', '/S', '/JavaScript', '/JS', '(app.alert\\(1\\))', '>>'],
  ['<<', '/S', '/URI', '/URI', '(https://exemplu.test/)', '>>'],
  ['<<', '/F', '(https://exemplu.test/)', '/S', '/SubmitForm', '>>'],
  ['<<', '/OP', '0', '/JS', '(x)', '/S', '/Rendition', '>>'],
]

const space = fc
  .array(
    fc.constantFrom(' ', '\n', '\r\n', '\t', '\0', '\f', '   ', '%x\n', '% >> endobj\r', ' '.repeat(5000)),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => parts.join(''))

const escapeName = (name: string, escaped: readonly boolean[]) =>
  name.replace(/(?<=.)./g, (character, index: number) =>
    escaped[index % escaped.length] ? `#${character.charCodeAt(0).toString(16)}` : character,
  )

const hidden = fc.record({
  action: fc.constantFrom(...ACTIONS),
  spaces: fc.array(space, { minLength: 8, maxLength: 8 }),
  escaped: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  entry: fc.constantFrom('/OpenAction', '/AA'),
  isIndirect: fc.boolean(),
  isNext: fc.boolean(),
  place: fc.constantFrom('plain', 'packed', 'packed without type', 'packed behind a false keyword', 'update'),
  isNameIndirect: fc.boolean(),
  headSpace: fc.oneof(fc.constant(' '), space),
})

/** Writes a PDF whose active object is hidden by legal means. */
function writePdf(choice: typeof hidden extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const { spaces, escaped, place, headSpace: gap } = choice
  const write = (tokens: readonly string[]) =>
    tokens
      .map(
        (token, index) =>
          (token.startsWith('/') ? escapeName(token, escaped) : token) + spaces[index % spaces.length],
      )
      .join('')
  const objects: [number, string][] = []
  let tokens: string[] = choice.action
  if (choice.isNameIndirect) {
    const at = tokens.indexOf('/S') + 1
    objects.push([7, write([tokens[at]!])])
    tokens = tokens.with(at, '7 0 R')
  }
  if (choice.isNext) {
    objects.push([5, write(tokens)])
    tokens = ['<<', '/S', '/GoTo', '/Next', '[', '5', '0', 'R', ']', '>>']
  }
  if (choice.isIndirect) {
    objects.push([4, write(tokens)])
    tokens = ['4', '0', 'R']
  }
  const value = choice.entry === '/AA' ? ['<<', '/WC', ...tokens, '>>'] : tokens
  const catalogue = write(['<<', '/Type', '/Catalog', '/Pages', '2', '0', 'R', choice.entry, ...value, '>>'])
  const object = ([number, body]: [number, string]) => `${number}${gap}0${gap}obj\n${body}\nendobj\n`
  const active: [number, string][] = [[1, catalogue], ...objects]
  const start = makeRawPdf([CATALOGUE, PAGES, PAGE]).toString('latin1')
  if (place === 'plain' || place === 'update')
    return Buffer.from(
      `${place === 'update' ? start : '%PDF-1.7\n'}${active.map(object).join('')}trailer << /Root 1 0 R /Prev 9 >>\n%%EOF\n`,
      'latin1',
    )
  const bodies = active.map(([, body]) => body)
  const index = active.map(([number], at) => `${number} ${bodies.slice(0, at).join('').length}`).join(' ')
  const data = deflateSync(Buffer.from(`${index} ${bodies.join('')}`, 'latin1')).toString('latin1')
  const type = {
    packed: '/Type /ObjStm',
    'packed without type': '',
    'packed behind a false keyword': '/Type /ObjStm /X (9 0 obj << >>\nstream\nendstream)',
  }[place]!
  const head = write(['<<', type, '/N', `${active.length}`, '/First', `${index.length + 1}`])
  const filter = write(['/Filter', '/FlateDecode', '/Length', `${data.length}`, '>>'])
  return Buffer.from(`${start}${object([8, `${head}${filter}stream\n${data}\nendstream`])}%%EOF\n`, 'latin1')
}

describe('the search in the objects of a PDF', () => {
  it('never finds nothing where one active object is hidden by legal means (E02)', () => {
    fc.assert(
      fc.property(hidden, (choice) => {
        expect([...findActiveObjects(writePdf(choice))]).not.toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  it('names the object itself where only names, white space and places are unusual', () => {
    fc.assert(
      fc.property(hidden, (choice) => {
        const kinds = findActiveObjects(
          writePdf({ ...choice, headSpace: '  ', place: 'packed without type', isNameIndirect: false }),
        )
        expect([...kinds]).toEqual([expect.stringMatching(/^pdf-/)])
      }),
      { numRuns: 500 },
    )
  })

  it('ends soon, whatever refers to whatever', () => {
    const files = [
      Array.from({ length: 60_000 }, (_, index) => `<< /AA ${index + 5} 0 R >>`),
      Array.from(
        { length: 60_000 },
        (_, index) => `<< /AA << /O ${index + 5} 0 R >> /Next ${index + 5} 0 R >>`,
      ),
      Array.from({ length: 200_000 }, () => '<< /AA << /A '),
      Array.from({ length: 60_000 }, () => '( /OpenAction << /S 4 0 R'),
      [`<< ${'/Next [ '.repeat(50_000)}`],
    ]
    for (const objects of files) {
      const before = process.cpuUsage().user
      const kinds = findActiveObjects(makeRawPdf([CATALOGUE, PAGES, PAGE, ...objects]))
      expect(process.cpuUsage().user - before).toBeLessThan(15_000_000)
      expect([...kinds].filter((kind) => kind !== 'unexamined')).toEqual([])
    }
  }, 120_000)

  it('reports what is beyond its limits', () => {
    const deep = makeRawPdf([CATALOGUE, PAGES, PAGE, `<< /X ${'['.repeat(500)}${']'.repeat(500)} >>`])
    const many = makeRawPdf(Array.from({ length: 1_000_001 }, () => '1'))
    const far = makeRawPdf(['<< /Type /Catalog /Pages 2 0 R /OpenAction 77 0 R >>', PAGES, PAGE])
    for (const file of [deep, many, far]) expect([...findActiveObjects(file)]).toEqual(['unexamined'])
  })

  it('finds nothing in ordinary files', async () => {
    expect([...findActiveObjects(await makePdf(3))]).toEqual([])
    expect([...findActiveObjects(await makePdf(2, { pdfVersion: '1.7' }))]).toEqual([])
  })
})
