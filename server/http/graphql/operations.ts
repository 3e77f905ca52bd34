import { existsSync, readFileSync } from 'node:fs'

/** The product's own GraphQL documents by the SHA-256 (hex) of their text. */
export type Operations = ReadonlyMap<string, string>

/**
 * Returns the documents in the list that the build wrote (`scripts/collect-operations.ts`); none without that
 * list, so that clients send every document as text.
 */
export function readOperations(path: string): Operations {
  if (!existsSync(path)) return new Map()
  return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>))
}
