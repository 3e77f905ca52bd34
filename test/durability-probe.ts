// Loaded before a server process: prints the events whose order matters, and can kill the process after one of them.
import { writeSync } from 'node:fs'
import fs from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import pg from 'pg'

const killAt = process.env.PROBE_KILL_AT
let linked = false

function report(event: string): void {
  writeSync(1, `${event}\n`)
  if (event === killAt) process.kill(process.pid, 'SIGKILL')
}

const handle = await fs.open(import.meta.filename)
const prototype = Object.getPrototypeOf(handle) as typeof handle
await handle.close()
for (const name of ['sync', 'datasync'] as const) {
  const original = prototype[name]
  prototype[name] = async function () {
    await original.call(this)
    const folder = linked ? 'link synced' : 'folder synced'
    report((await this.stat()).isDirectory() ? folder : 'file synced')
  }
}

const { link } = fs
fs.link = async (from, to) => {
  await link(from, to)
  linked = true
  report('linked')
}
syncBuiltinESMExports()

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first] = args as [string | { text: string }]
  const isCommit = linked && (typeof first === 'string' ? first : first?.text) === 'commit'
  if (isCommit) report('committing')
  const response = query.apply(this, args)
  if (!isCommit) return response
  return (response as Promise<unknown>).then((result) => {
    report('committed')
    return result
  })
} as typeof pg.Client.prototype.query

const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: Parameters<typeof writeHead>) {
  report(`answered ${args[0]}`)
  return writeHead.apply(this, args)
} as typeof writeHead
