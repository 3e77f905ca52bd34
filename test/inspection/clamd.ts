import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ClamdAddress, openClamd } from '../../server/platform/clamd.ts'
import { EICAR } from '../hostile-files.ts'

/** Why the tests with a real scanner are skipped; null where the machine has one. */
export const NO_CLAMD =
  spawnSync('clamd', ['--version'], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).status === 0
    ? null
    : 'no clamd on this machine (Debian: apt-get install clamav-daemon)'

/** The name that the scanner of the tests gives to EICAR; its own list of signatures, so that none is downloaded. */
export const EICAR_SIGNATURE = 'Dosar.Test.Eicar'

/** The largest file that the scanner of the tests accepts. */
export const MAX_SCANNED_BYTES = 1024 * 1024

/** Runs a real clamd until `atEnd`; returns its address. */
export async function startClamd(
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<ClamdAddress> {
  const folder = await mkdtemp(join(tmpdir(), 'dosar-clamd-'))
  const path = join(folder, 'clamd.ctl')
  const settings = [
    `LocalSocket ${path}`,
    `DatabaseDirectory ${folder}`,
    `TemporaryDirectory ${folder}`,
    'Foreground yes',
    `StreamMaxLength ${MAX_SCANNED_BYTES}`,
    'AlertExceedsMax yes',
    'MaxScanSize 2M',
  ]
  await writeFile(join(folder, 'test.ndb'), `${EICAR_SIGNATURE}:0:*:${EICAR.toString('hex')}\n`)
  await writeFile(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`)
  const clamd = spawn('clamd', ['--config-file', join(folder, 'clamd.conf')], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: 'ignore',
  })
  atEnd(async () => {
    clamd.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  await waitUntilReady(clamd, { path })
  return { path }
}

async function waitUntilReady(clamd: ChildProcess, address: ClamdAddress): Promise<void> {
  const deadline = Date.now() + 60_000
  while ((await openClamd(address).version()) === null) {
    if (clamd.exitCode !== null || Date.now() > deadline) throw new Error('clamd did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export type ScriptedClamd = {
  address: { host: string; port: number }
  /** The bytes that each connection has sent. */
  received: Buffer[]
  stop(): Promise<void>
}

/** Listens like clamd, and does with each connection what `behave` says, after each chunk of bytes. */
export async function scriptClamd(
  behave: (socket: Socket, received: Buffer, connection: number) => void,
): Promise<ScriptedClamd> {
  const received: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const connection = received.push(Buffer.alloc(0))
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      const whole = Buffer.concat([received[connection - 1]!, bytes])
      received[connection - 1] = whole
      behave(socket, whole, connection)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  const { port } = server.address() as { port: number }
  return { address: { host: '127.0.0.1', port }, received, stop }
}

/** Whether the stream of a file has ended, with a chunk of no bytes. */
export const hasEnded = (received: Buffer): boolean => received.subarray(-4).equals(Buffer.alloc(4))
