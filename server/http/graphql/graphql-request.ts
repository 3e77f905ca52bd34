import type { Context } from 'hono'
import { z } from 'zod'
import type { Env } from '../types.ts'

const MAX_BODY_BYTES = 256 * 1024
/** Levels of nested objects and lists; the deepest input of the schema has three. */
const MAX_NESTING = 32
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?$/i

const graphqlRequest = z
  .object({
    query: z.string().nullish(),
    operationName: z.string().nullish(),
    variables: z.record(z.string(), z.unknown()).nullish(),
    extensions: z
      .looseObject({
        persistedQuery: z.object({ version: z.literal(1), sha256Hash: z.string().max(64) }).nullish(),
      })
      .nullish(),
  })
  .transform(({ query, operationName, variables, extensions }) => ({
    query: query ?? null,
    operationName: operationName ?? null,
    // Without a prototype, so that a variable called `toString` has no inherited value.
    variables: Object.assign(Object.create(null), variables) as Record<string, unknown>,
    hash: extensions?.persistedQuery?.sha256Hash ?? null,
    extensions: extensions ?? {},
  }))
  .refine(({ query, hash }) => query !== null || hash !== null)

/** A request for one operation, by its text or by the hash of a document of the product. */
export type GraphqlRequest = z.output<typeof graphqlRequest>

/**
 * Reads the body of a POST [7.8]. Accepts only JSON in UTF-8, which a page of another site cannot send
 * without a CORS preflight. Returns the HTTP status of the rejection when the body is of another type, too
 * large or invalid.
 */
export async function readGraphqlRequest(
  c: Context<Env>,
): Promise<GraphqlRequest | { rejectedWith: 400 | 413 | 415 }> {
  if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) return { rejectedWith: 415 }
  if (c.req.header('content-encoding') !== undefined) return { rejectedWith: 415 }
  const bytes = await readBody(c)
  if (!bytes) return { rejectedWith: 413 }
  const body = graphqlRequest.safeParse(parseJson(bytes))
  return body.success ? body.data : { rejectedWith: 400 }
}

/** Returns null for a body over the limit, and stops reading there. */
async function readBody(c: Context<Env>): Promise<Uint8Array | null> {
  const length = c.req.header('content-length')
  if (length !== undefined)
    return Number(length) > MAX_BODY_BYTES ? null : new Uint8Array(await c.req.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns undefined for a body that is not JSON in UTF-8 or is nested too deep. */
function parseJson(bytes: Uint8Array): unknown {
  if (!isShallow(bytes)) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = Buffer.from('"\\[]{}')

/**
 * Whether the JSON has at most MAX_NESTING levels. Counts the brackets outside of strings; in UTF-8 these
 * bytes are never part of another character.
 */
function isShallow(json: Uint8Array): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (inString) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === LIST || byte === OBJECT) {
      depth += 1
      if (depth > MAX_NESTING) return false
    } else if (byte === LIST_END || byte === OBJECT_END) depth -= 1
  }
  return true
}
