import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../shared/limits.ts'
import { makeImage, makePdf, makeRawPdf, makeSlowPdf, streamOf } from '../../../../test/hostile-files.ts'
import { createFilers } from '../../../../test/inspection/filed-upload.ts'
import { createTestServer, type TestServer } from '../../../../test/test-server.ts'
import { createSystemContext } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { purgeFiles } from '../retention/purge-files.ts'

/** Returns a PDF that shows a black square of 101 million pixels on the left, and in a form on the right. */
function makeHugeSquares(): Buffer {
  const side = 10_050
  const gray = '/BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode'
  return makeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /XObject << /I 5 0 R /F 6 0 R >> >> >>',
    streamOf('', Buffer.from('q 90 0 0 90 5 5 cm /I Do Q /F Do')),
    streamOf(
      `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} ${gray}`,
      deflateSync(Buffer.alloc(Math.ceil(side / 8) * side)),
    ),
    streamOf(
      `/Type /XObject /Subtype /Form /BBox [0 0 200 100] /Resources << /XObject << /I 5 0 R >> >>`,
      Buffer.from('q 90 0 0 90 105 5 cm /I Do Q'),
    ),
  ])
}

let server: TestServer
let filers: Awaited<ReturnType<typeof createFilers>>
/** The files of one upload by name, after all its jobs. */
let files: Record<string, { id: string; hasThumbnail: boolean }>
let uploadId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  filers = await createFilers(server)
  const noise = { type: 'gaussian', mean: 128, sigma: 80 } as const
  const lying = sharp({ create: { width: 400, height: 900, channels: 3, background: 'red' } })
  uploadId = await filers.send({
    'buletin.pdf': await makePdf(2),
    'culcat.jpg': await lying.withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    'mic.png': await makeImage('png'),
    'zgomot.png': await sharp({
      create: { width: 1000, height: 1000, channels: 3, background: 'grey', noise },
    })
      .png()
      .toBuffer(),
    'parola.pdf': await makePdf(1, { userPassword: 'x', pdfVersion: '1.7' }),
    'lent.pdf': makeSlowPdf(),
    'uriase.pdf': makeHugeSquares(),
    'note.txt': Buffer.from('bine'),
  })
  await server.runJobs({ draws: true })
  const query = 'query ($id: ID!) { upload(id: $id) { state files { id name hasThumbnail } } }'
  const { upload } = await filers.reviewer.runQuery(query, { id: uploadId })
  expect(upload.state).toBe('in_review')
  files = Object.fromEntries(upload.files.map((file: { name: string }) => [file.name, file]))
}, 240_000)

const fetchThumbnail = (name: string) => filers.reviewer.fetch(`/files/${files[name]!.id}/thumbnail`)

describe('a thumbnail', () => {
  it('is drawn of the first page of a PDF and of a picture, never of a locked one', async () => {
    // Whether the slow one gets one in time depends on the machine.
    const { 'lent.pdf': _slow, ...others } = files
    const drawn = Object.entries(others).map(([name, { hasThumbnail }]) => [name, hasThumbnail])
    expect(Object.fromEntries(drawn)).toEqual({
      'buletin.pdf': true,
      'culcat.jpg': true,
      'mic.png': true,
      'zgomot.png': true,
      'uriase.pdf': true,
      'parola.pdf': false,
      'note.txt': false,
    })
    expect((await fetchThumbnail('parola.pdf')).status).toBe(404)
  })

  it.each([
    ['buletin.pdf', 248, 320],
    // Turned as its EXIF data says.
    ['culcat.jpg', 320, 142],
    ['mic.png', 40, 30],
    ['zgomot.png', 320, 320],
  ])('is a WebP of at most 30 kB and 320 pixels: %s', async (name, width, height) => {
    const response = await fetchThumbnail(name)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.length).toBeLessThanOrEqual(30 * 1024)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height })
    // More than one colour where the file has more.
    const { channels } = await sharp(bytes).stats()
    expect(channels[0]!.stdev > 1).toBe(['buletin.pdf', 'zgomot.png'].includes(name))
  })

  it('leaves out images of more than 100 million pixels, which would take minutes to decode', async () => {
    const bytes = await (await fetchThumbnail('uriase.pdf')).arrayBuffer()
    const { channels } = await sharp(bytes).stats()
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255])
  })

  it('is no opening and no entry of the audit log', async () => {
    const count = async () => {
      const rows = await server.db.selectFrom('audit_event').select('action').execute()
      return rows.length
    }
    const before = await count()
    expect((await fetchThumbnail('buletin.pdf')).status).toBe(200)
    expect(await count()).toBe(before)
  })

  it('is deleted with the file, and not served while the file is removed', async () => {
    const { id } = files['mic.png']!
    const removedAt = new Date(Date.now() - (LIMITS.binDays + 1) * 24 * 60 * 60 * 1000)
    const read = async () =>
      (await server.db.selectFrom('file').select('thumbnail').where('id', '=', id).executeTakeFirstOrThrow())
        .thumbnail
    await server.db.updateTable('file').set({ removed_at: removedAt }).where('id', '=', id).execute()
    expect((await fetchThumbnail('mic.png')).status).toBe(404)
    expect(await read()).not.toBeNull()
    await purgeFiles(createSystemContext(server.services))
    expect(await read()).toBeNull()
  })

  it('does not exist for an unknown file', async () => {
    expect((await filers.reviewer.fetch(`/files/${newId()}/thumbnail`)).status).toBe(404)
  })
})

describe('a PDF whose text takes too long to read', () => {
  it('is accepted, with the note that nobody has compared it', async () => {
    const { files: read } = await filers.read(uploadId)
    expect(read.find(({ name }) => name === 'lent.pdf')).toMatchObject({
      scanResult: 'unscanned',
      facts: { unreadable: 'too-large', findings: [{ kind: 'unexamined' }] },
    })
  })
})
