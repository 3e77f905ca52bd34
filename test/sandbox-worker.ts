import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { OpenedFile } from '../server/platform/sandbox/opened-file.ts'
import { serveSandbox } from '../server/platform/sandbox/serve-sandbox.ts'

/** Returns the result of `act`, or the code of its error. */
const attempt = (act: () => unknown) => {
  try {
    return act() ?? 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

const tryToConnect = (to: { port: number; host: string } | { path: string }) =>
  new Promise((resolve) => {
    const socket = connect(to, () => resolve('connected'))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })

const TASKS: Record<string, (about: string, file: OpenedFile) => unknown> = {
  environment: () => Object.keys(process.env),
  user: () => process.getuid?.(),
  write: (path) => attempt(() => writeFileSync(path, 'x')),
  start: () => attempt(() => execFileSync('/bin/true')),
  thread: () => attempt(() => void new Worker('0', { eval: true })),
  read: (path) => attempt(() => readFileSync(path, 'utf8')),
  file: async (_about, file) => `${file.size}: ${await file.read(2, 100)}`,
  port: (port) => tryToConnect({ port: Number(port), host: '127.0.0.1' }),
  socket: (path) => tryToConnect({ path }),
  loop: () => {
    for (;;);
  },
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Number(milliseconds), 'done')),
  sleep: () => new Promise((resolve) => setTimeout(resolve, 600_000)),
  heap: () => {
    const allocated: number[][] = []
    for (;;) allocated.push(new Array<number>(1_000_000).fill(allocated.length))
  },
  buffers: () => {
    const allocated: Buffer[] = []
    for (;;) allocated.push(Buffer.alloc(10_000_000, 1))
  },
  throw: () => {
    throw new Error('no')
  },
}

serveSandbox(({ name, about = '' }: { name: string; about?: string }, file) =>
  Promise.resolve(TASKS[name]!(about, file)),
)
