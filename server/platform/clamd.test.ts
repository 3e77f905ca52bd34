import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EICAR, makeZip } from '../../test/hostile-files.ts'
import {
  EICAR_SIGNATURE,
  hasEnded,
  MAX_SCANNED_BYTES,
  NO_CLAMD,
  scriptClamd,
  startClamd,
} from '../../test/inspection/clamd.ts'
import { type ClamdAddress, openClamd, ScannerUnavailable } from './clamd.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-scan-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function fileOf(bytes: Uint8Array): Promise<FileHandle> {
  const path = join(folder, randomBytes(8).toString('hex'))
  await writeFile(path, bytes)
  const file = await open(path)
  onTestFinished(() => file.close())
  return file
}

const QUICK = { sending: 300, result: 300, retry: 10 }

describe('a scanner that speaks the protocol', () => {
  const reply = (text: string) =>
    scriptClamd((socket, received) => {
      if (hasEnded(received)) socket.end(`${text}\0`)
    })

  it('gets the file in chunks with their lengths, and its result is returned', async () => {
    const bytes = randomBytes(200_000)
    const { address, received } = await reply('stream: OK')
    expect(await openClamd(address).scan(await fileOf(bytes))).toEqual({ result: 'clean' })
    const sent = received[0]!
    expect(sent.toString('latin1', 0, 10)).toBe('zINSTREAM\0')
    const chunks: Buffer[] = []
    let at = 10
    for (let length = sent.readUInt32BE(at); length > 0; length = sent.readUInt32BE(at)) {
      chunks.push(sent.subarray(at + 4, at + 4 + length))
      at += 4 + length
    }
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
    expect(at + 4).toBe(sent.length)
  })

  it.each([
    ['stream: Win.Test.EICAR_HDB-1 FOUND', { result: 'infected', signature: 'Win.Test.EICAR_HDB-1' }],
    ['stream: FOUND FOUND', { result: 'infected', signature: 'FOUND' }],
    ['INSTREAM size limit exceeded. ERROR', { result: 'incomplete' }],
    ['stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND', { result: 'incomplete' }],
  ])('answers %j', async (text, result) => {
    const { address } = await reply(text)
    expect(await openClamd(address).scan(await fileOf(Buffer.from('x')))).toEqual(result)
  })

  it('may refuse a file before its end', async () => {
    const { address } = await scriptClamd((socket, received) => {
      if (received.length > 100_000 && !socket.writableEnded)
        socket.end('INSTREAM size limit exceeded. ERROR\0', () => socket.destroy())
    })
    const file = await fileOf(randomBytes(5_000_000))
    expect(await openClamd(address).scan(file)).toEqual({ result: 'incomplete' })
  })
})

describe('a scanner without a result', () => {
  const expectUnavailable = async (address: ClamdAddress) =>
    expect(openClamd(address, QUICK).scan(await fileOf(randomBytes(300_000)))).rejects.toThrow(
      ScannerUnavailable,
    )

  it('is one that does not listen', async () => {
    const { address, stop } = await scriptClamd(() => undefined)
    await stop()
    await expectUnavailable(address)
    await expectUnavailable({ path: join(folder, 'no-such-socket') })
    expect(await openClamd(address, QUICK).version()).toBeNull()
  })

  it('is one that never answers, or that takes no more bytes', async () => {
    await expectUnavailable((await scriptClamd(() => undefined)).address)
    await expectUnavailable((await scriptClamd((socket) => socket.pause())).address)
  })

  it('is one that closes the connection, at the start or after the file', async () => {
    await expectUnavailable((await scriptClamd((socket) => socket.destroy())).address)
    await expectUnavailable(
      (await scriptClamd((socket, received) => hasEnded(received) && socket.destroy())).address,
    )
  })

  it.each(['stream: Can’t allocate memory ERROR\0', 'UNKNOWN COMMAND\0', '\0', 'x'.repeat(10_000)])(
    'is one that answers %j',
    async (text) => {
      const { address } = await scriptClamd((socket, received) => hasEnded(received) && socket.end(text))
      await expectUnavailable(address)
    },
  )

  it('is asked again, so that a restart of the scanner costs nothing', async () => {
    const { address } = await scriptClamd((socket, received, connection) => {
      if (connection === 1) socket.destroy()
      else if (hasEnded(received)) socket.end('stream: OK\0')
    })
    expect(await openClamd(address, QUICK).scan(await fileOf(Buffer.from('x')))).toEqual({ result: 'clean' })
  })
})

describe('a real clamd', () => {
  it('finds the EICAR file, bare and in a ZIP, and says what it cannot read', async ({ skip }) => {
    skip(NO_CLAMD !== null, NO_CLAMD ?? '')
    const clamd = openClamd(await startClamd())
    const infected = { result: 'infected', signature: `${EICAR_SIGNATURE}.UNOFFICIAL` }
    expect(await clamd.version()).toMatch(/^ClamAV /)
    expect(await clamd.scan(await fileOf(EICAR))).toEqual(infected)
    expect(await clamd.scan(await fileOf(await makeZip({ 'e.txt': EICAR })))).toEqual(infected)
    expect(await clamd.scan(await fileOf(Buffer.from('bine')))).toEqual({ result: 'clean' })
    expect(await clamd.scan(await fileOf(randomBytes(MAX_SCANNED_BYTES)))).toEqual({ result: 'clean' })
    for (const bytes of [MAX_SCANNED_BYTES + 1, 20_000_000])
      expect(await clamd.scan(await fileOf(randomBytes(bytes)))).toEqual({ result: 'incomplete' })
    // It unpacks to more than MaxScanSize, which a scanner without AlertExceedsMax would call clean.
    const large = await makeZip({ 'a.bin': Buffer.alloc(3_000_000, 'abc') })
    expect(await clamd.scan(await fileOf(large))).toEqual({ result: 'incomplete' })
  })
})
