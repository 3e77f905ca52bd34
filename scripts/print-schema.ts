import { mkdir, writeFile } from 'node:fs/promises'
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal'
import { introspectionFromSchema, lexicographicSortSchema, printSchema } from 'graphql'
import { schema } from '../server/schema.ts'

/**
 * Writes schema.graphql, for people and reviews, and the types of the front end's queries. Both are committed; a test fails
 * when they are outdated.
 */
const sorted = lexicographicSortSchema(schema)
await writeFile('schema.graphql', `${printSchema(sorted)}\n`)

const introspection = minifyIntrospection(introspectionFromSchema(sorted))
await mkdir('web/api', { recursive: true })
await writeFile(
  'web/api/schema.generated.d.ts',
  outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true }),
)
