import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { createSlots } from './slots.ts'

/** Where clamd listens: a host and port, or the path of a socket. */
export type ClamdAddress = { host: string; port: number } | { path: string }

/** `incomplete`: the file is larger than the scanner reads. */
export type Scan = { result: 'clean' } | { result: 'infected'; signature: string } | { result: 'incomplete' }

export type Scanner = {
  /** Scans a file for malware. Throws ScannerUnavailable unless the scanner has given its result. */
  scan(file: FileHandle): Promise<Scan>
  /** Returns the version of the scanner and of its signatures; null if it does not respond. */
  version(): Promise<string | null>
}

/** The scanner did not respond, or could not scan the file; a retry may succeed. */
export class ScannerUnavailable extends Error {
  override name = 'ScannerUnavailable'
  readonly code = 'SCANNER_UNAVAILABLE'
}

type Timeouts = {
  /** Milliseconds without progress while the file is sent. */
  sending: number
  /** Milliseconds for the result after the last byte; clamd itself stops after two minutes (MaxScanTime). */
  result: number
  /** Milliseconds between two attempts. */
  retry: number
}

const TIMEOUTS: Timeouts = { sending: 30_000, result: 180_000, retry: 1_000 }
/** For a scanner that is being restarted; the job that scans is retried too. */
const ATTEMPTS = 3
const CHUNK_BYTES = 64 * 1024
/** Milliseconds between two chunks after a failed attempt. */
const SLOW_MS = 2
const MAX_REPLY_LENGTH = 4096
const MAX_SIGNATURE_LENGTH = 200

/** Files sent at the same time, fewer than clamd's own limit (MaxThreads 10). */
const MAX_SCANS = 4

/** Scans files with the clamd at this address, each over its own connection. */
export function openClamd(address: ClamdAddress, timeouts: Timeouts = TIMEOUTS): Scanner {
  const inSlot = createSlots<null>(MAX_SCANS)
  const scan = async (file: FileHandle): Promise<Scan> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return readResult(
          await ask(address, timeouts, 'INSTREAM', (clamd) => sendFile(clamd, file, attempt > 1)),
        )
      } catch (error) {
        if (attempt === ATTEMPTS)
          throw new ScannerUnavailable('the malware scanner gave no result', { cause: error })
        await pause(timeouts.retry)
      }
    }
  }
  return {
    scan: (file) => inSlot(null, () => scan(file)),
    version: () => ask(address, { ...timeouts, result: 5_000 }, 'VERSION').catch(() => null),
  }
}

type Conversation = { socket: Socket; reply: Promise<string>; hasReply: () => boolean }

/** Sends a command and what belongs to it; returns the reply. */
async function ask(
  address: ClamdAddress,
  timeouts: Timeouts,
  command: string,
  sendBody: (clamd: Conversation) => Promise<void> = async () => undefined,
): Promise<string> {
  const socket = connect(address)
  const clamd = listen(socket)
  socket.setTimeout(timeouts.sending, () => socket.destroy(new Error('timeout')))
  try {
    await Promise.race([once(socket, 'connect'), clamd.reply])
    socket.write(`z${command}\0`)
    await sendBody(clamd)
    socket.setTimeout(timeouts.result)
    return await clamd.reply
  } finally {
    socket.destroy()
  }
}

function listen(socket: Socket): Conversation {
  let text = ''
  let hasReply = false
  const reply = new Promise<string>((resolve, reject) => {
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      hasReply ||= text.includes('\0')
      if (hasReply) resolve(text.slice(0, text.indexOf('\0')))
      else if (text.length > MAX_REPLY_LENGTH) socket.destroy(new Error('endless reply'))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('closed without a reply')))
  })
  // A connection may fail while the file is being read, before the reply is awaited.
  reply.catch(() => undefined)
  return { socket, reply, hasReply: () => hasReply }
}

/**
 * Sends the file in chunks, each after its length; an empty chunk ends it. Stops at an early reply, which
 * `isSlow` surely reads.
 */
async function sendFile(
  { socket, reply, hasReply }: Conversation,
  file: FileHandle,
  isSlow: boolean,
): Promise<void> {
  // Without a stream, which would close the file when a broken connection ends the loop.
  const buffer = Buffer.alloc(CHUNK_BYTES)
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position)
    if (bytesRead === 0) break
    position += bytesRead
    const bytes = buffer.subarray(0, bytesRead)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    const framed = Buffer.concat([length, bytes])
    // A clamd that accepts no more replies and closes: its reply must be read before a write fails, because the
    // failure closes this end too.
    await (isSlow ? pause(SLOW_MS) : nextTurn())
    if (hasReply() || socket.destroyed) return
    if (!socket.write(framed)) await Promise.race([once(socket, 'drain'), reply])
  }
  socket.write(Buffer.alloc(4))
}

/** Throws on a reply that is no result, such as clamd's `… ERROR`. */
function readResult(reply: string): Scan {
  if (reply === 'stream: OK') return { result: 'clean' }
  if (reply.startsWith('INSTREAM size limit exceeded')) return { result: 'incomplete' }
  const signature = /^stream: (.+) FOUND$/s.exec(reply)?.[1]
  if (signature === undefined) throw new Error('no result')
  // With AlertExceedsMax clamd names the files that it has not read to their end.
  if (signature.startsWith('Heuristics.Limits.Exceeded')) return { result: 'incomplete' }
  return { result: 'infected', signature: signature.slice(0, MAX_SIGNATURE_LENGTH) }
}
