import { createHash } from 'node:crypto'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InMemoryCache } from '@apollo/client'
import { type DocumentNode, Kind, print } from 'graphql'

/**
 * Returns the queries and mutations of the front end by the SHA-256 (hex) of their text, exactly as its client sends them.
 * All are in `*.queries.ts`; subscriptions are left out, since the websocket accepts their text.
 */
export async function collectOperations(): Promise<Record<string, string>> {
  const cache = new InMemoryCache()
  const operations: Record<string, string> = {}
  const files: string[] = []
  for await (const file of glob('web/**/*.queries.ts')) files.push(file)
  for (const file of files.sort()) {
    const exported: unknown[] = Object.values(await import(pathToFileURL(resolve(file)).href))
    for (const document of exported.filter(isOperation)) {
      const text = print(cache.transformDocument(document))
      operations[createHash('sha256').update(text).digest('hex')] = text
    }
  }
  return operations
}

const isOperation = (value: unknown): value is DocumentNode =>
  typeof value === 'object' &&
  value !== null &&
  'definitions' in value &&
  (value as DocumentNode).definitions.some(
    (node) => node.kind === Kind.OPERATION_DEFINITION && node.operation !== 'subscription',
  )
