import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import type { Env } from './types.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
const COMPRESSED: ReadonlySet<string> = new Set(['.css', '.js', '.json', '.mjs', '.svg', '.txt', '.wasm'])
/** A page that is filled in before it is sent, what only a developer needs, and what a tool has put there for itself. */
const isWithheld = (name: string): boolean => /^\.|\.(html|map)$/.test(name)
/** What the build names by its content, so that it can be kept for ever. */
const HASHED = /^\/(assets|builds\/meta)\//

export const ENCODERS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
} as const
type Encoding = keyof typeof ENCODERS

type StaticFile = {
  bytes: Buffer
  type: string
  etag: string
  cacheControl: string
  /** Each encoding is made once, when it is first asked for; null where it would gain nothing. */
  encoded: Map<Encoding, Promise<Buffer>> | null
}

/** The files of a built front end by the one path each is asked for, read once; an empty map where it is not built. */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  if (!existsSync(folder)) return new Map()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !isWithheld(entry.name))
  return new Map(
    files.map((entry) => {
      const name = join(entry.parentPath, entry.name)
      const path = `/${relative(folder, name).replaceAll(sep, '/')}`
      const bytes = readFileSync(name)
      const extension = extname(name)
      const file: StaticFile = {
        bytes,
        type: TYPES[extension] ?? 'application/octet-stream',
        etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
        cacheControl: HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        encoded: COMPRESSED.has(extension) ? new Map() : null,
      }
      return [path, file]
    }),
  )
}

/** Answers one of them, compressed where the browser takes it, or 304 where it has this very version. */
export async function answerStaticFile(c: Context<Env>, file: StaticFile): Promise<Response> {
  c.header('cache-control', file.cacheControl)
  c.header('etag', file.etag)
  if (file.encoded) c.header('vary', 'accept-encoding')
  if (c.req.header('if-none-match') === file.etag) return c.body(null, 304)
  c.header('content-type', file.type)
  const encoding = file.encoded ? acceptedEncoding(c.req.header('accept-encoding')) : null
  if (!encoding || !file.encoded) return c.body(new Uint8Array(file.bytes))
  let made = file.encoded.get(encoding)
  if (!made) {
    made = ENCODERS[encoding](file.bytes)
    file.encoded.set(encoding, made)
  }
  c.header('content-encoding', encoding)
  return c.body(new Uint8Array(await made))
}

function acceptedEncoding(accepted = ''): Encoding | null {
  const names = accepted.split(',').map((part) => part.trim())
  const takes = (name: Encoding) =>
    names.some((part) => part === name || /^([a-z]+);\s*q=(?!0(\.0*)?$)/.exec(part)?.[1] === name)
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null
}
