import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFilm, makeImage, makePdf, makeSamsungTrailer } from '../../../../../test/hostile-files.ts'
import { bytesOf, readBytesOf } from './file-bytes.ts'
import { findJpegEnd } from './jpeg-end.ts'
import { judgeJpegEnd, judgePdfEnd, judgePngEnd, MAX_TRAILING_BYTES } from './judge-end.ts'
import { findMp4End } from './mp4-end.ts'
import { findPdfEnd } from './pdf-end.ts'
import { findPngEnd } from './png-end.ts'

const [PNG, JPEG, PDF] = await Promise.all([makeImage('png'), makeImage('jpeg'), makePdf(1)])
const JUDGES = { png: judgePngEnd, jpeg: judgeJpegEnd, pdf: judgePdfEnd }
const ORIGINALS = { png: PNG, jpeg: JPEG, pdf: PDF }
const kinds = ['png', 'jpeg', 'pdf'] as const

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
/** Other data: neither padding at an end, nor the start of an image or a film, nor of an object of a PDF. */
const foreign = fc
  .integer({ min: 1, max: 3000 })
  .chain((length) => fc.array(fc.integer({ min: 0x61, max: 0x65 }), { minLength: length, maxLength: length }))
  .map((letters) => Buffer.from(letters))

/** A JPEG of random segments and scans; a scan has stuffed bytes, fill bytes and restarts. */
const segment = fc
  .tuple(fc.constantFrom(0xe0, 0xe1, 0xe2, 0xfe, 0xdb, 0xc0, 0xc4), bytes(60))
  .map(([code, content]) => {
    const head = Buffer.from([0xff, code, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  })
const scan = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xfe }).map((byte) => [byte]),
      fc.constant([0xff, 0x00]),
      fc.integer({ min: 0xd0, max: 0xd7 }).map((code) => [0xff, code]),
    ),
    { maxLength: 80 },
  )
  .map((parts) => Buffer.from([0xff, 0xda, 0, 4, 1, 2, ...parts.flat()]))
const jpeg = fc
  .array(fc.oneof(segment, scan), { maxLength: 8 })
  .map((parts) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xff, 0xd9])]))

describe('the end of a file', () => {
  it('is found in every JPEG of segments and scans, whatever follows', () => {
    fc.assert(
      fc.property(jpeg, bytes(200), (image, tail) => {
        expect(findJpegEnd(bytesOf(Buffer.concat([image, tail])))).toBe(image.length)
      }),
    )
  })

  it('of a PNG and of a film is independent of what follows', () => {
    const film = makeFilm(50)
    fc.assert(
      fc.property(bytes(200), (tail) => {
        expect(findPngEnd(bytesOf(Buffer.concat([PNG, tail])))).toBe(PNG.length)
        const filmEnd = findMp4End(bytesOf(Buffer.concat([film, Buffer.alloc(8), tail])), 0, film.length + 8)
        expect(filmEnd).toBe(film.length)
      }),
    )
  })

  it.each(kinds)('of a %s: other data counts from its first byte to its last', (kind) => {
    fc.assert(
      fc.property(foreign, fc.integer({ min: 0, max: 3000 }), (tail, padding) => {
        const file = Buffer.concat([ORIGINALS[kind], Buffer.alloc(padding), tail, Buffer.alloc(padding)])
        expect(JUDGES[kind](bytesOf(file))).toBe(tail.length > MAX_TRAILING_BYTES ? 'foreign' : 'clean')
      }),
    )
  })

  it.each(kinds)('of a %s: no bytes make it throw or never return', (kind) => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 20 }),
        bytes(500),
        fc.nat(),
        (changes, tail, cut) => {
          const file = Buffer.concat([ORIGINALS[kind], tail])
          for (const [at, byte] of changes) file[at % file.length] = byte
          const judged = JUDGES[kind](bytesOf(file.subarray(0, cut % (file.length + 1))))
          expect(['clean', 'media', 'foreign', 'missing']).toContain(judged)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('of the blocks of a Samsung phone: no bytes make it throw', () => {
    const trailer = makeSamsungTrailer({ Image_UTC_Data: Buffer.from('1'), MotionPhoto_Data: makeFilm(2000) })
    expect(judgeJpegEnd(bytesOf(Buffer.concat([JPEG, trailer])))).toBe('media')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 5 }),
        (changes) => {
          const changed = Buffer.from(trailer)
          for (const [at, byte] of changes) changed[changed.length - 1 - (at % 48)] = byte
          expect(['media', 'foreign']).toContain(judgeJpegEnd(bytesOf(Buffer.concat([JPEG, changed]))))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('is the same in a large file, which is read in parts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dosar-ends-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const scanData = Buffer.alloc(3 * 1024 * 1024, Buffer.from([0xff, 0x00]))
    const start = JPEG.subarray(0, -2)
    // A marker lies across the border of two parts, at every distance from it.
    for (let shift = 0; shift < 4; shift += 1) {
      const image = Buffer.concat([start, Buffer.alloc(shift, 1), scanData, Buffer.from([0xff, 0xd9])])
      const file = Buffer.concat([image, Buffer.alloc(2_000_000), randomBytes(10)])
      const path = join(folder, `${shift}.jpg`)
      await writeFile(path, file)
      const opened = await open(path)
      expect(readBytesOf(opened.fd, (each) => findJpegEnd(each))).toBe(image.length)
      expect(readBytesOf(opened.fd, judgeJpegEnd)).toBe('clean')
      const pdf = Buffer.concat([
        PDF,
        Buffer.alloc(1024 * 1024 - PDF.length - 3 + shift),
        Buffer.from('%%EOF'),
      ])
      await writeFile(path, pdf)
      expect(readBytesOf(opened.fd, (each) => findPdfEnd(each, 2_000_000))).toBe(pdf.length)
      await opened.close()
    }
  })
})
