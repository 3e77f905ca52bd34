import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FactPlace } from '../../../../../shared/uploads/file-facts.ts'
import { cnpAt, type Files, makeImage } from '../../../../../test/hostile-files.ts'
import { createFilers } from '../../../../../test/inspection/filed-upload.ts'
import {
  type Code,
  makeFaxPdf,
  makeImagePdf,
  makeScan,
  makeScannedPdf,
  type ScanQuality,
} from '../../../../../test/inspection/scans.ts'
import { createTestServer, type TestServer } from '../../../../../test/test-server.ts'
import { factsOfCode } from './codes.ts'

let server: TestServer
let filers: Awaited<ReturnType<typeof createFilers>>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  filers = await createFilers(server)
})

type Found = {
  result: string | undefined
  noText?: boolean
  facts: [kind: string, value: string, page?: number][]
}

/** Files them and returns what the check says of each, in the order of the values. */
async function file(files: Files): Promise<Record<string, Found>> {
  const { files: filed } = await filers.file(files)
  const rows = await server.db
    .selectFrom('file_fact')
    .selectAll()
    .orderBy('value')
    .orderBy('position')
    .execute()
  return Object.fromEntries(
    filed.map(({ id, name, scanResult, facts: { reason, noText } }) => [
      name,
      {
        result: reason ?? scanResult,
        ...(noText === undefined ? {} : { noText }),
        facts: rows
          .filter(({ file_id }) => file_id === id)
          .map(({ kind, value, place }) => [kind, value, (place as unknown as FactPlace).page!]),
      },
    ]),
  )
}

const CNP = cnpAt(7)
const LABEL: Code = { format: 'Code128', text: 'A2611-000123' }
const QR: Code = { format: 'QRCode', text: `Nume: Popescu Ana\nCNP: ${CNP}` }
const CODES: readonly Code[] = [
  LABEL,
  QR,
  { format: 'DataMatrix', text: 'DM-778899' },
  { format: 'PDF417', text: cnpAt(8) },
]
const ALL: Found['facts'] = [
  ['cnp', CNP, 1],
  ['cnp', cnpAt(8), 1],
  ['accession', 'A2611-000123', 1],
  ['accession', 'DM-778899', 1],
  ['name', 'Popescu Ana', 1],
]
const CLEAN: ScanQuality = { dpi: 300, quality: 90 }

describe('a scan without text', () => {
  it.each<[string, ScanQuality]>([
    ['300 dpi', CLEAN],
    ['200 dpi, compressed', { dpi: 200, quality: 50 }],
    ['tilted and noisy', { dpi: 300, quality: 80, turned: 2.5, noise: 25 }],
    ['upside down', { dpi: 300, quality: 80, turned: 180 }],
    ['150 dpi, strongly compressed', { dpi: 150, quality: 40 }],
  ])('says what its codes say: %s', async (_name, quality) => {
    const pdf = await makeScannedPdf([await makeScan(CODES, quality)])
    expect(await file({ 'scan.pdf': pdf })).toEqual({ 'scan.pdf': { result: 'unscanned', facts: ALL } })
  })

  it('has the place of each code on the page, as a person sees it', async () => {
    const scan = await makeScan([LABEL], CLEAN)
    // Stored lying on its side, with the note that it has to be turned.
    const lying = await sharp(scan).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { id } = await filers.file({ 'drept.jpg': scan, 'culcat.jpg': lying })
    const places = await server.db
      .selectFrom('file_fact')
      .innerJoin('file', 'file.id', 'file_fact.file_id')
      .select('place')
      .where('upload_id', '=', id)
      .execute()
    const near = (value: number) => expect.closeTo(value, 1)
    const place = { in: 'code', page: 1, box: [near(0.1), near(0.06), near(0.23), near(0.04)] }
    expect(places).toEqual([{ place }, { place }])
  })

  it('is a page of a PDF whose other pages have text; a page with text is not searched', async () => {
    const scan = await makeScan([LABEL, QR], CLEAN)
    const pdf = await makeScannedPdf(['Scrisoare medicală', scan, 'Anexă'])
    expect(await file({ 'mixt.pdf': pdf })).toEqual({
      'mixt.pdf': {
        result: 'unscanned',
        facts: [
          ['cnp', CNP, 2],
          ['accession', 'A2611-000123', 2],
          ['name', 'Popescu Ana', 2],
        ],
      },
    })
  })

  it('is named as such where no code says anything of the patient', async () => {
    const empty = await makeImage('jpeg', 800, 1100)
    const site: Code = { format: 'QRCode', text: 'https://exemplu.test/rezultate' }
    const found = await file({
      'gol.pdf': await makeScannedPdf([empty]),
      'poza.png': await makeImage('png'),
      'adresa.jpg': await makeScan([site], CLEAN),
      'partial.pdf': await makeScannedPdf([empty, 'text']),
    })
    const silent = { result: 'unscanned', noText: true, facts: [] }
    expect(found).toEqual({
      'gol.pdf': silent,
      'poza.png': silent,
      'adresa.jpg': silent,
      'partial.pdf': silent,
    })
  })

  it('may be compressed as older scanners do it', async () => {
    const fax = await makeFaxPdf(await makeScan([LABEL], CLEAN))
    expect(await file({ 'fax.pdf': fax })).toEqual({
      'fax.pdf': { result: 'unscanned', facts: [['accession', 'A2611-000123', 1]] },
    })
  })
})

describe('a hostile or damaged scan', () => {
  it('is accepted without facts, whatever size it says it has', async () => {
    const gray = '/BitsPerComponent 8 /ColorSpace /DeviceGray'
    const scan = await makeScan([LABEL], CLEAN)
    const found = await file({
      'imagine-uriasa.pdf': makeImagePdf(
        '/Width 60000 /Height 60000 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode',
        deflateSync(Buffer.alloc(10)),
      ),
      'pagina-uriasa.pdf': makeImagePdf(`/Width 1 /Height 1 ${gray}`, Buffer.alloc(1), '0 0 1000000 1000000'),
      'pagina-ingusta.pdf': makeImagePdf(`/Width 1 /Height 1 ${gray}`, Buffer.alloc(1), '0 0 1 1000000'),
      'jpx.pdf': makeImagePdf('/Width 3000 /Height 4000 /Filter /JPXDecode', randomBytes(5000)),
      'ccitt.pdf': makeImagePdf(
        '/Width 3000 /Height 4000 /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 3000 /Rows 4000 >>',
        randomBytes(5000),
      ),
      'taiat.pdf': makeImagePdf(
        `/Width 2480 /Height 3508 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode`,
        scan.subarray(0, 2000),
      ),
    })
    for (const [name, { result, facts }] of Object.entries(found))
      expect([name, result, facts]).toEqual([name, 'unscanned', []])
  })

  it('is rejected as a picture of 900 million pixels, and accepted as a large one', async () => {
    const large = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: 'white' } })
      .png({ compressionLevel: 1 })
      .toBuffer()
    const bomb = await makeImage('png')
    bomb.writeUInt32BE(30_000, 16)
    bomb.writeUInt32BE(30_000, 20)
    expect(await file({ 'mare.png': large, 'bomba.png': bomb })).toMatchObject({
      'mare.png': { result: 'unscanned', facts: [] },
      'bomba.png': { result: 'too-many-pixels' },
    })
  })
})

describe('the text of a code', () => {
  const place = { in: 'code', page: 1 } as const
  const read = (text: string) => factsOfCode(text, place).map(({ kind, value }) => `${kind} ${value}`)

  it.each([
    [CNP, `cnp ${CNP}`],
    ['2026112300017', 'accession 2026112300017'],
    ['A2611-000123', 'accession A2611-000123'],
    ['00123456', 'accession 00123456'],
    ['CT.2026/4411', 'accession CT.2026/4411'],
    [`nume=Popescu|cnp=${CNP}|sex=M`, `cnp ${CNP}`],
    [`POPESCU\x1dANA\x1d${CNP}`, `cnp ${CNP}`],
  ])('%j says %s', (text, fact) => {
    expect(read(text)).toEqual([fact])
  })

  it.each([
    '',
    '12',
    'FORMULAR',
    '2026-11-23',
    '23.11.2026',
    // The last digit of the CNP is wrong.
    `${CNP.slice(0, 12)}${(Number(CNP[12]) + 1) % 10}`,
    'https://exemplu.test/12345678',
    'Nr. 4411223344',
    'A'.repeat(10) + '1'.repeat(11),
  ])('%j says nothing', (text) => {
    expect(read(text)).toEqual([])
  })

  it('is read in linear time', () => {
    expect(read(`${'A1'.repeat(100_000)}!`)).toEqual([])
  })
})
