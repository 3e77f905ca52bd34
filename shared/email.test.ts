import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEmail } from './email.ts'

describe('parseEmail', () => {
  it.each([
    ['ana@exemplu.ro', 'ana@exemplu.ro'],
    ['  Ana.Pop@Exemplu.RO ', 'ana.pop@exemplu.ro'],
    ["o'connor+rezultate@sub.exemplu.ro", "o'connor+rezultate@sub.exemplu.ro"],
    ['a@xn--tefan-uig.ro', 'a@xn--tefan-uig.ro'],
    [`${'a'.repeat(64)}@b.ro`, `${'a'.repeat(64)}@b.ro`],
    [`a@${`${'b'.repeat(49)}.`.repeat(5)}ro`, `a@${`${'b'.repeat(49)}.`.repeat(5)}ro`],
  ])('reads %j', (text, address) => {
    expect(parseEmail(text)).toBe(address)
  })

  it.each([
    '',
    'ana',
    '@b.ro',
    'a@',
    'a@b',
    'a@localhost',
    'a@b.ro,c@d.ro',
    'a@b.ro;c@d.ro',
    'a@b.ro c@d.ro',
    'a@@b.ro',
    'a@b@c.ro',
    '"a@x.ro y"@b.ro',
    '"a"@b.ro',
    'Ana <a@b.ro>',
    '<a@b.ro>',
    'a(comment)@b.ro',
    'a\uff20b.ro',
    'a\ufe6bb.ro',
    'a@b\uff0ero',
    '\uff41@b.ro',
    'a@b.ro\r\nBcc: evil@x.ro',
    'a@b.ro\0',
    'a\u200b@b.ro',
    'a@b.ro\u202e',
    'ștefan@b.ro',
    's\u0326tefan@b.ro',
    'mi\u212ae@b.ro',
    'a@bücher.ro',
    'a@b.ro.',
    'a@.b.ro',
    'a@b..ro',
    '.a@b.ro',
    'a.@b.ro',
    'a..b@b.ro',
    'a@-b.ro',
    'a@b-.ro',
    'a@b.r',
    'a@b.123',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a\\@b.ro',
    'a@b.ro/x',
    'group: a@b.ro;',
    `${'a'.repeat(65)}@b.ro`,
    `a@${'b'.repeat(64)}.ro`,
    `a@${`${'b'.repeat(49)}.`.repeat(5)}abc`,
  ])('rejects %j', (text) => {
    expect(parseEmail(text)).toBeNull()
  })

  it('returns only addresses that it parses to themselves, with one @ and nothing to inject', () => {
    const parts = fc.array(
      fc.constantFrom('a', 'B', '.', '@', '-', 'ro', '"', ',', ' ', '\r\n', '\uff20', '\u212a', 'ș', '\0'),
      {
        maxLength: 10,
      },
    )
    fc.assert(
      fc.property(parts, (text) => {
        const address = parseEmail(text.join(''))
        if (address === null) return
        expect(address).toMatch(/^[!-?A-~]+@[a-z0-9.-]+$/)
        expect(address).toBe(address.normalize('NFKC').toLowerCase())
        expect(parseEmail(address)).toBe(address)
      }),
      { numRuns: 5000 },
    )
  })
})
