import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../shared/limits.ts'
import { checkFiles } from './file-checks.ts'

const file = (name: string, size = 1000) => ({ name, size })

describe('checkFiles', () => {
  it('takes documents, pictures, archives and DICOM files without an ending', () => {
    const chosen = ['a.pdf', 'b.JPG', 'c.zip', 'IM000001', '1.2.840.113619.2', 'd.docx'].map((name) =>
      file(name),
    )
    expect(checkFiles(chosen, 0)).toEqual({ taken: chosen, refused: [] })
  })

  it('refuses pages, drawings that can carry programs, and programs', () => {
    const { taken, refused } = checkFiles(
      ['x.html', 'x.HTM', 'x.svg', 'x.exe'].map((name) => file(name)),
      0,
    )
    expect(taken).toEqual([])
    expect(refused).toHaveLength(4)
  })

  it('refuses empty files and those that are too large, to the byte', () => {
    const { taken, refused } = checkFiles(
      [file('a.pdf', 0), file('b.zip', LIMITS.fileBytes), file('c.zip', LIMITS.fileBytes + 1)],
      0,
    )
    expect(taken.map(({ name }) => name)).toEqual(['b.zip'])
    expect(refused).toEqual([
      { name: 'a.pdf', reason: 'fișierul este gol' },
      { name: 'c.zip', reason: 'este mai mare de 2 GB' },
    ])
  })

  it('takes as many as one upload holds, those present counted', () => {
    const chosen = ['a', 'b', 'c'].map((name) => file(`${name}.pdf`))
    const { taken, refused } = checkFiles(chosen, LIMITS.filesPerUpload - 2)
    expect(taken.map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf'])
    expect(refused).toEqual([{ name: 'c.pdf', reason: 'o încărcare are cel mult 20 de fișiere' }])
  })

  it('passes over what file managers leave in folders', () => {
    expect(checkFiles([file('.DS_Store'), file('Thumbs.db'), file('._a.pdf')], 0)).toEqual({
      taken: [],
      refused: [],
    })
  })
})
