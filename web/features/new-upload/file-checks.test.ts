import { describe, expect, it } from 'vitest'
import { acceptedText, checkFiles } from './file-checks.ts'

const LIMITS = { upload_file_mib: 2048, upload_files: 20 }
const MIB = 1024 * 1024

const file = (name: string, size = 1000) => ({ name, size })

describe('checkFiles', () => {
  it('accepts documents, pictures, archives and DICOM files without an extension', () => {
    const chosen = ['a.pdf', 'b.JPG', 'c.zip', 'IM000001', '1.2.840.113619.2', 'd.docx'].map((name) =>
      file(name),
    )
    expect(checkFiles(chosen, 0, LIMITS)).toEqual({ accepted: chosen, rejected: [] })
  })

  it('rejects HTML pages, SVG drawings and programs', () => {
    const { accepted, rejected } = checkFiles(
      ['x.html', 'x.HTM', 'x.svg', 'x.exe'].map((name) => file(name)),
      0,
      LIMITS,
    )
    expect(accepted).toEqual([])
    expect(rejected).toHaveLength(4)
  })

  it('rejects kinds that the check would refuse, and says what to do instead', () => {
    const chosen = ['IMG_1.HEIC', 'scan.tif', 'a.webp', 'a.rar', 'tiff'].map((name) => file(name))
    const { accepted, rejected } = checkFiles(chosen, 0, LIMITS)
    expect(accepted.map(({ name }) => name)).toEqual(['tiff'])
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'fotografiile HEIC nu se primesc: salvează-le ca JPEG',
      'imaginile TIFF nu se primesc: salvează-le ca PDF sau JPEG',
      'acest fel de imagine nu se primește: salveaz-o ca JPEG sau PNG',
      'arhivele RAR și 7z nu se primesc: fă una ZIP',
    ])
  })

  it('rejects empty files and files one byte above the limit', () => {
    const { accepted, rejected } = checkFiles(
      [file('a.pdf', 0), file('b.zip', 2048 * MIB), file('c.zip', 2048 * MIB + 1)],
      0,
      LIMITS,
    )
    expect(accepted.map(({ name }) => name)).toEqual(['b.zip'])
    expect(rejected).toEqual([
      { name: 'a.pdf', reason: 'fișierul este gol' },
      { name: 'c.zip', reason: 'este mai mare de 2 GB' },
    ])
  })

  it('accepts files up to the limit of the upload, counting the ones already in it', () => {
    const chosen = ['a', 'b', 'c'].map((name) => file(`${name}.pdf`))
    const { accepted, rejected } = checkFiles(chosen, 18, LIMITS)
    expect(accepted.map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf'])
    expect(rejected).toEqual([{ name: 'c.pdf', reason: 'o încărcare are cel mult 20 de fișiere' }])
  })

  it('ignores the files that file managers leave in folders', () => {
    expect(checkFiles([file('.DS_Store'), file('Thumbs.db'), file('._a.pdf')], 0, LIMITS)).toEqual({
      accepted: [],
      rejected: [],
    })
  })

  it('applies the limits of the site settings [1.5]', () => {
    const limits = { upload_file_mib: 1, upload_files: 2 }
    const chosen = [file('a.pdf', MIB), file('b.pdf', MIB + 1), file('c.pdf'), file('d.pdf')]
    const { accepted, rejected } = checkFiles(chosen, 0, limits)
    expect(accepted.map(({ name }) => name)).toEqual(['a.pdf', 'c.pdf'])
    expect(rejected).toEqual([
      { name: 'b.pdf', reason: 'este mai mare de 1 MB' },
      { name: 'd.pdf', reason: 'o încărcare are cel mult 2 fișiere' },
    ])
    expect(acceptedText(limits)).toContain('Cel mult 2 fișiere, 1 MB fiecare.')
  })
})
