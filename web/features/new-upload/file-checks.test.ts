import { describe, expect, it } from 'vitest'
import { acceptedText, checkFiles } from './file-checks.ts'

const LIMITS = { upload_file_mib: 2048, upload_files: 20 }
const MIB = 1024 * 1024

const file = (name: string, size = 1000) => ({ name, size })

describe('checkFiles', () => {
  it('takes documents, pictures, archives and DICOM files without an ending', () => {
    const chosen = ['a.pdf', 'b.JPG', 'c.zip', 'IM000001', '1.2.840.113619.2', 'd.docx'].map((name) =>
      file(name),
    )
    expect(checkFiles(chosen, 0, LIMITS)).toEqual({ taken: chosen, refused: [] })
  })

  it('refuses pages, drawings that can carry programs, and programs', () => {
    const { taken, refused } = checkFiles(
      ['x.html', 'x.HTM', 'x.svg', 'x.exe'].map((name) => file(name)),
      0,
      LIMITS,
    )
    expect(taken).toEqual([])
    expect(refused).toHaveLength(4)
  })

  it('refuses empty files and those that are too large, to the byte', () => {
    const { taken, refused } = checkFiles(
      [file('a.pdf', 0), file('b.zip', 2048 * MIB), file('c.zip', 2048 * MIB + 1)],
      0,
      LIMITS,
    )
    expect(taken.map(({ name }) => name)).toEqual(['b.zip'])
    expect(refused).toEqual([
      { name: 'a.pdf', reason: 'fișierul este gol' },
      { name: 'c.zip', reason: 'este mai mare de 2 GB' },
    ])
  })

  it('takes as many as one upload holds, those present counted', () => {
    const chosen = ['a', 'b', 'c'].map((name) => file(`${name}.pdf`))
    const { taken, refused } = checkFiles(chosen, 18, LIMITS)
    expect(taken.map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf'])
    expect(refused).toEqual([{ name: 'c.pdf', reason: 'o încărcare are cel mult 20 de fișiere' }])
  })

  it('passes over what file managers leave in folders', () => {
    expect(checkFiles([file('.DS_Store'), file('Thumbs.db'), file('._a.pdf')], 0, LIMITS)).toEqual({
      taken: [],
      refused: [],
    })
  })

  it('goes by the limits that the settings set [1.5]', () => {
    const limits = { upload_file_mib: 1, upload_files: 2 }
    const chosen = [file('a.pdf', MIB), file('b.pdf', MIB + 1), file('c.pdf'), file('d.pdf')]
    const { taken, refused } = checkFiles(chosen, 0, limits)
    expect(taken.map(({ name }) => name)).toEqual(['a.pdf', 'c.pdf'])
    expect(refused).toEqual([
      { name: 'b.pdf', reason: 'este mai mare de 1 MB' },
      { name: 'd.pdf', reason: 'o încărcare are cel mult 2 fișiere' },
    ])
    expect(acceptedText(limits)).toContain('Cel mult 2 fișiere, 1 MB fiecare.')
  })
})
