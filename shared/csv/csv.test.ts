import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeCsvRecord } from './csv.ts'

/** Reads RFC 4180 independently of the writer. */
function readCsv(text: string): string[][] {
  const records: string[][] = [[]]
  let at = 0
  while (at < text.length) {
    expect(text[at]).toBe('"')
    let field = ''
    for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
      field += text[at]
      if (text[at] === '"') at += 1
    }
    at += 1
    records.at(-1)!.push(field)
    if (text[at] === ';') at += 1
    else {
      expect(text.slice(at, at + 2)).toBe('\r\n')
      at += 2
      records.push([])
    }
  }
  return records.slice(0, -1)
}

const original = (field: string) => field.replace(/(?<=^|[,;\t])'/g, '')

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom(...`=+-@＝＋－＠\t\r\n\0'";`, "'="), fc.string())
    .map(([start, rest]) => start + rest),
  fc.string({ unit: fc.constantFrom(...`=+-@＝＋－＠,;\t\r\n'"a `) }),
)

describe('a CSV record', () => {
  it('reads back unchanged for any content [2.9]', () => {
    fc.assert(
      fc.property(fc.array(fc.array(hostile, { minLength: 1 }), { minLength: 1 }), (records) => {
        const read = readCsv(records.map(writeCsvRecord).join(''))
        expect(read.map((fields) => fields.map(original))).toEqual(records)
      }),
    )
  })

  it('has no field that a spreadsheet takes for a formula [2.9]', () => {
    fc.assert(
      fc.property(hostile, (field) => {
        expect(readCsv(writeCsvRecord([field]))[0]![0]).not.toMatch(/^[=+\-@＝＋－＠\t\r\n\0]/)
      }),
    )
  })

  it('has no formula even if a spreadsheet splits fields at another separator [2.9]', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1 }), (fields) => {
        const text = writeCsvRecord(fields)
        for (const separator of [',', ';', '\t']) {
          for (const cell of text.split(separator)) expect(cell).not.toMatch(/^"*[=+\-@＝＋－＠]/)
        }
      }),
    )
    expect(writeCsvRecord(['a,=1+1;-2\t"@x, y'])).toBe(`"a,'=1+1;'-2\t'""@x, y"\r\n`)
  })

  it('is written with semicolons, quotes and CRLF', () => {
    expect(writeCsvRecord(['Ștefan "Ion"', '=1+1', ''])).toBe('"Ștefan ""Ion""";"\'=1+1";""\r\n')
  })
})
