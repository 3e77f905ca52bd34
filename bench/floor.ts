import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { QUESTIONS, type Question } from './floor-questions.ts'

/**
 * A minimal server as baseline: Node's own HTTP server and hand-written, prepared SQL for the product's responses; bytes of
 * files are hashed and written in one pass. It has no sign-in, no rights and no audit log.
 *
 * POST /<operation>   a Question: the response of that operation
 * PUT  /files/<name>  writes the body to a file; with `durable` in the address it is synced before the response
 * POST /copy          {from, names, parallel}: copies files of this machine in the same way, without HTTP
 */
const { PORT, DATABASE_URL, FOLDER = '.' } = process.env
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })

createServer((request, response) => {
  respond(request).then(
    (body) => {
      const text = JSON.stringify(body)
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        .end(text)
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write('floor listens\n'))

async function respond(request: IncomingMessage): Promise<object> {
  const { pathname, searchParams } = new URL(request.url!, 'http://floor')
  if (request.method === 'PUT') return receive(request, pathname.slice('/files/'.length), searchParams)
  const question = JSON.parse(await readBody(request))
  if (pathname === '/copy') return copyFiles(question)
  return { data: await QUESTIONS[pathname.slice(1)]!(pool, question as Question) }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function receive(request: IncomingMessage, name: string, search: URLSearchParams) {
  const path = join(FOLDER, name)
  const sha256 = await writeStream(request, path)
  if (search.has('durable')) {
    for (const place of [path, FOLDER]) {
      const handle = await open(place, 'r')
      await handle.sync().finally(() => handle.close())
    }
  }
  return { sha256 }
}

async function copyFiles({ from, names, parallel }: { from: string; names: string[]; parallel: number }) {
  const left = names.values()
  const run = async () => {
    for (const name of left) await writeStream(createReadStream(join(from, name)), join(FOLDER, name))
  }
  await Promise.all(Array.from({ length: parallel }, run))
  return { copied: names.length }
}

async function writeStream(source: NodeJS.ReadableStream, path: string): Promise<string> {
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform: (chunk, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(source, hashing, createWriteStream(path, { highWaterMark: 1024 * 1024 }))
  return hash.digest('hex')
}
