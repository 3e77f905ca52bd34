import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type GraphQLObjectType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { describePermissions } from '../scripts/permissions.ts'
import { ROWS } from '../test/permissions/rows.ts'
import { schema } from './schema.ts'

const isTest = (path: string) => path.endsWith('.test.ts')
const sources = new Map(
  globSync('server/**/*.ts')
    .filter((path) => !isTest(path))
    .map((path) => [path, readFileSync(path, 'utf8')]),
)
const isAccess = (path: string) => path.endsWith('.access.ts')

/** Returns the files of the product from which a file imports values. */
function importsOf(path: string): string[] {
  const found = (sources.get(path) ?? '').matchAll(/^(?:import|export) (?!type )[^']*? from '(\.[^']+)'/gms)
  return [...found].map((match) => join(dirname(path), match[1]!))
}

/**
 * Whether a verb's file imports an access rule, itself or by a file of its own feature or a reader that it
 * calls.
 */
function importsAccessRule(path: string): boolean {
  const imported = importsOf(path)
  const readers = imported.filter(
    (each) =>
      !/\.(db|sql|graphql)\.ts$/.test(each) &&
      (dirname(each) === dirname(path) || /^(find|lock|hold)-/.test(basename(each))),
  )
  return [path, ...readers].some((each) => importsOf(each).some(isAccess))
}

const rootFields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  .filter((type): type is GraphQLObjectType => isObjectType(type))
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type: type.name, field })))

/** Returns the functions of features that a resolver calls, from the resolver's source text. */
function verbsOf(options: { resolve?: unknown; subscribe?: unknown }): string[] {
  const source = String(options.subscribe ?? options.resolve)
  return [...source.matchAll(/\b([a-z]\w+)\)?\(/g)].map((match) => match[1]!)
}

const fileOf = (verb: string): string | undefined =>
  [...sources].find(
    ([path, text]) =>
      path.startsWith('server/features/') &&
      new RegExp(`^export (?:async )?(?:function|const) ${verb}\\b`, 'm').test(text),
  )?.[0]

/** Fields that need no rule: they read or change the caller's own account, or public data. */
const OWN_OR_PUBLIC = new Set(
  Object.entries(ROWS)
    .filter(([, { ownOrPublic }]) => ownOrPublic)
    .map(([name]) => name),
)

describe('access rules', () => {
  it.each(rootFields.map(({ type, field }) => ({ name: `${type}.${field.name}`, field })))(
    '$name checks a rule of an .access.ts file [6.4]',
    ({ name, field }) => {
      if (OWN_OR_PUBLIC.has(name)) return
      const files = verbsOf(field.extensions.pothosOptions as object)
        .map(fileOf)
        .filter((path) => path !== undefined)
      expect(files, name).not.toEqual([])
      expect(files.some(importsAccessRule), `${name} → ${files.join(', ')}`).toBe(true)
    },
  )

  it('compare roles in .access.ts files alone [6.4]', () => {
    const elsewhere = [...sources].filter(
      ([path, text]) => !isAccess(path) && /\brole\s*[!=]==\s*'/.test(text),
    )
    expect(elsewhere.map(([path]) => path)).toEqual([])
  })

  it('are repeated by the database, except where a user of an institution reads the own account', () => {
    const outside = [...sources].filter(
      ([path, text]) =>
        /\bwithAccounts\(|\.pools\b/.test(text) && !path.startsWith('server/features/accounts/'),
    )
    expect(outside.map(([path]) => path)).toEqual(['server/context.ts'])
  })

  it('are not repeated by it for what users of institutions send', () => {
    const sending = [...sources].filter(
      ([path, text]) => /\bwithSending\(/.test(text) && !/sent-uploads/.test(path),
    )
    expect(sending.map(([path]) => path).sort()).toEqual([
      'server/features/uploads/find-upload.ts',
      'server/features/uploads/transfers/receive-bytes.ts',
      'server/http/files/uploads.ts',
    ])
  })

  it('are printed in docs/permissions.md', async () => {
    expect(readFileSync('docs/permissions.md', 'utf8')).toBe(await describePermissions())
  })
})
