import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanFileName, contentDisposition } from './file-names.ts'

const bytes = (text: string) => Buffer.byteLength(text)

describe('cleanFileName', () => {
  it.each([
    ['Ștefan_țigănuș.pdf', 'Ștefan_țigănuș.pdf'],
    ['Ștefan_țigănuș.pdf'.normalize('NFD'), 'Ștefan_țigănuș.pdf'],
    ['ştefan.pdf', 'ştefan.pdf'],
    ['rezultat\u202efdp.exe', 'rezultatfdp.exe'],
    ['a\u200b\u2066\ufeff.pdf', 'a.pdf'],
    ['a\0.pdf', 'a.pdf'],
    ['a\r\nX: y.pdf', 'aX_ y.pdf'],
    ['../../etc/passwd', '....etcpasswd'],
    ['C:\\Temp\\rmn.zip', 'C_Temprmn.zip'],
    ['CON.pdf', '_CON.pdf'],
    ['nul', '_nul'],
    ['com1.tar.gz', '_com1.tar.gz'],
    ['console.pdf', 'console.pdf'],
    ['"citat"?.pdf', '_citat__.pdf'],
    ['  spații   multe .pdf ', 'spații multe .pdf'],
    ['punct.pdf. . ', 'punct.pdf'],
    ['', 'fișier'],
    ['..', 'fișier'],
    [' / ', 'fișier'],
    ['\u202e', 'fișier'],
    ['a\ud83d.pdf', 'a.pdf'],
    ['.pdf', '.pdf'],
    [' .', 'fișier'],
  ])('turns %j into %j', (name, clean) => {
    expect(cleanFileName(name)).toBe(clean)
  })

  it('shortens the name, not the extension', () => {
    const long = cleanFileName(`${'ă'.repeat(300)}.pdf`)
    expect(long).toBe(`${'ă'.repeat(125)}.pdf`)
    expect(cleanFileName('x'.repeat(300))).toBe('x'.repeat(200))
    expect(bytes(cleanFileName(`${'😀'.repeat(300)}.dicom`))).toBeLessThanOrEqual(255)
    expect(cleanFileName(`${'😀'.repeat(300)}.dicom`)).toMatch(/^😀+\.dicom$/u)
  })

  it('keeps the length limits and does not change a clean name', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('.', ' ', '/', '\\', 'CON', '.pdf', '\u0301', 'e', '\u202e', 'ș'.repeat(90)),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const clean = cleanFileName(parts.join(''))
        expect(cleanFileName(clean)).toBe(clean)
        expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}/\\]/u)
        expect([...clean].length).toBeLessThanOrEqual(200)
        expect(bytes(clean)).toBeLessThanOrEqual(255)
        expect(clean).not.toBe('')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('contentDisposition', () => {
  it('contains the exact name and one without accents', () => {
    expect(contentDisposition('Ecografie (ă) 100%.pdf', 'attachment')).toBe(
      `attachment; filename="Ecografie (a) 100_.pdf"; filename*=UTF-8''Ecografie%20%28%C4%83%29%20100%25.pdf`,
    )
    expect(contentDisposition("d'Ștefan*.pdf", 'inline')).toBe(
      `inline; filename="d'Stefan_.pdf"; filename*=UTF-8''d%27%C8%98tefan_.pdf`,
    )
  })

  it('is one well-formed header for any name, and decodes to the cleaned name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const header = contentDisposition(name, 'attachment')
        const parts = /^attachment; filename="([ -~]*)"; filename\*=UTF-8''([A-Za-z0-9%!#$&+.^_`|~-]*)$/.exec(
          header,
        )
        expect(parts).not.toBeNull()
        expect(parts![1]).not.toMatch(/["\\%]/)
        expect(decodeURIComponent(parts![2]!)).toBe(cleanFileName(name))
        expect(new Headers({ 'content-disposition': header }).get('content-disposition')).toBe(header)
      }),
      { numRuns: 2000 },
    )
  })
})
