import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Files, makeZip } from '../../../../../test/hostile-files.ts'
import { createFilers } from '../../../../../test/inspection/filed-upload.ts'
import {
  makeMalformedImages,
  makeMalformedPdfs,
  makeMisnamedFiles,
  makeTruncatedFiles,
} from '../../../../../test/inspection/malformed-files.ts'
import { createTestServer, type TestServer } from '../../../../../test/test-server.ts'

let server: TestServer
let filers: Awaited<ReturnType<typeof createFilers>>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  filers = await createFilers(server)
})

/** Files them, runs the check, and returns what it says of each. */
async function read(files: Files): Promise<Record<string, unknown>> {
  const { files: filed } = await filers.file(files)
  return Object.fromEntries(filed.map(({ name, scanResult, facts }) => [name, { scanResult, ...facts }]))
}
const refused = (reason: string) => ({ scanResult: 'refused', reason })
const accepted = (facts: object = {}) => ({ scanResult: 'unscanned', ...facts })

describe('a malformed file ends in stated facts:', () => {
  it('a PDF with a cycle of pages, a wrong number of pages or none, code in a font, or a bomb', async () => {
    expect(await read(makeMalformedPdfs())).toEqual({
      'arbore-ciclic.pdf': accepted({ noText: true, pagesWithoutText: [1] }),
      'miliard-de-pagini.pdf': accepted(),
      'fara-pagini.pdf': refused('damaged'),
      'cod-in-font.pdf': accepted(),
      'bomba.pdf': refused('damaged'),
    })
    const entry = makeMalformedPdfs()['fara-pagini.pdf']!
    expect(await read({ 'arhiva.zip': await makeZip({ 'raport.pdf': entry }) })).toMatchObject({
      'arhiva.zip': accepted({ unreadable: 'entries' }),
    })
  }, 60_000)

  it('a picture with a bomb in its profile or comment, and one of an impossible size', async () => {
    const picture = accepted({ noText: true, width: 40, height: 30 })
    expect(await read(await makeMalformedImages())).toEqual({
      'profil.png': picture,
      'comentariu.png': picture,
      'fara-pixeli.png': refused('damaged'),
      'urias.png': refused('too-many-pixels'),
    })
  })

  it.each([0.3, 0.9])('a document of any kind of which %f was sent', async (part) => {
    const files = await makeTruncatedFiles(part)
    const found = await read(files)
    // Of a document that is cut off early, only the beginning of an archive is left.
    for (const name of Object.keys(files))
      expect([name, found[name]]).toEqual([
        name,
        refused(name === 'scrisoare.docx' && part < 0.5 ? 'extension-mismatch' : 'damaged'),
      ])
  })

  it('a file whose name says something else', async () => {
    const files = makeMisnamedFiles()
    const expected = Object.keys(files).map((name) => [name, refused('type-not-allowed')])
    expect(await read(files)).toEqual(Object.fromEntries(expected))
  })
})
