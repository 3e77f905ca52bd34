import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The product's own GraphQL documents by the SHA-256 (hex) of their text. */
export type Operations = ReadonlyMap<string, string>

/** Written by the build (`scripts/collect-operations.ts`). The dot keeps it from being served. */
const BUILT = fileURLToPath(new URL('../../../dist/.operations.json', import.meta.url))

/**
 * Returns the documents of the built front end; none when it is not built, so that clients send every
 * document as text.
 */
export function readOperations(path = BUILT): Operations {
  if (!existsSync(path)) return new Map()
  return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>))
}
