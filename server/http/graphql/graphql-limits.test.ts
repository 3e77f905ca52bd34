import { buildSchema, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema as productSchema } from '../../schema.ts'
import { assertQueryCost } from './graphql-limits.ts'

const schema = buildSchema(`
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  type Query { thing: Thing, things(first: Int, after: String): Page! }
  type Mutation { change: Thing }
  type Page { nodes: [Thing!]!, endCursor: String }
  type Thing { id: ID, thing: Thing, parts: [Thing!]!, things(first: Int): Page! }
`)
const check = (query: string) => () => assertQueryCost(parse(query), schema)
const nested = (depth: number) => `{ ${'thing { '.repeat(depth - 1)}id${' }'.repeat(depth - 1)} }`
const many = (count: number, field: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => field(n)).join(' ')

describe('the limits of a document', () => {
  it.each([
    ['8 levels', nested(8)],
    ['10 root fields', `{ ${many(10, (n) => `a${n}: thing { id }`)} }`],
    ['60 aliases', `{ thing { ${many(60, (n) => `a${n}: id`)} } }`],
    [
      'a page of 100 with four objects per row',
      '{ things(first: 100) { nodes { thing { id } parts { id } } } }',
    ],
    ['a small page in a small page', '{ things(first: 5) { nodes { things(first: 5) { nodes { id } } } } }'],
  ])('allow %s', (_what, query) => {
    expect(check(query)).not.toThrow()
  })

  it.each([
    ['9 levels', nested(9), 'deep'],
    ['9 levels, the last ones deferred', nested(9).replace('id', '... @defer { id }'), 'deep'],
    ['9 levels through a fragment', `{ thing { ...A } } fragment A on Thing ${nested(8)}`, 'deep'],
    ['11 root fields', `{ ${many(11, (n) => `a${n}: thing { id }`)} }`, 'root fields'],
    ['61 aliases', `{ thing { ${many(61, (n) => `a${n}: id`)} } }`, 'too many fields'],
    ['251 fields', `{ thing { ${many(250, () => 'id')} } }`, 'too many fields'],
    [
      'a fragment that is used many times',
      `{ thing { ${many(5, () => '... @defer { ...A }')} } } fragment A on Thing { ${many(60, () => 'id')} }`,
      'too many fields',
    ],
    ['two mutations', 'mutation { change { id } again: change { id } }', 'root fields'],
    [
      'two mutations, one in a fragment',
      'mutation { change { id } ... { again: change { id } } }',
      'root fields',
    ],
    ['a page of pages', '{ things { nodes { things { nodes { id } } } } }', 'costs'],
    [
      'a page of pages in a deferred part',
      '{ things { nodes { ... @defer { things { nodes { id } } } } } }',
      'costs',
    ],
    ['100 × 100', '{ things(first: 100) { nodes { things(first: 100) { nodes { id } } } } }', 'costs'],
    [
      'pages whose size is a variable',
      'query ($n: Int) { things(first: $n) { nodes { things(first: $n) { nodes { id } } } } }',
      'costs',
    ],
    [
      'nested lists in a page',
      '{ things(first: 50) { nodes { parts { parts { id } } parts2: parts { thing { id } } } } }',
      'costs',
    ],
    [
      'a negative page size, which must not lower the cost',
      '{ things(first: -9) { nodes { things(first: 100) { nodes { parts { parts { id } } } } } } }',
      'costs',
    ],
  ])('reject %s before any field is resolved', (_what, query, why) => {
    expect(check(query)).toThrow(why)
  })

  it.each(['proposal { confidence }', 'duplicates { kind }'])('count %s twenty times', (field) => {
    const product = (query: string) => () => assertQueryCost(parse(query), productSchema)
    const upload = (fields: string) => `{ upload(id: "1") { ${fields} } }`
    expect(product(upload(`${field} comparison { isCut }`))).not.toThrow()
    expect(product(`{ uploads(first: 40) { nodes { ${field} } } }`)).not.toThrow()
    expect(product(`{ uploads(first: 50) { nodes { ${field} } } }`)).toThrow('costs')
    expect(product(upload(many(49, (n) => `a${n}: ${field}`)))).not.toThrow()
    expect(product(upload(many(50, (n) => `a${n}: ${field}`)))).toThrow('costs')
  })

  it('count the drafts of a sender as many as there may be', () => {
    const product = (query: string) => () => assertQueryCost(parse(query), productSchema)
    expect(product('{ sentDrafts { files { id } transfers { id } patient { id } } }')).not.toThrow()
    expect(product('{ sentDraft(id: "1") { checks { isKnown } proposal { title } } }')).not.toThrow()
    for (const field of ['checks { isKnown }', 'proposal { title }'])
      expect(product(`{ sentDrafts { ${field} } }`)).toThrow('costs')
  })

  it('allow the fullest page of the queue in one request', () => {
    const query = `{ uploads(first: 100) { nodes {
      id category { slug } patient { id } institution { id } can { edit } } } }`
    expect(() => assertQueryCost(parse(query), productSchema)).not.toThrow()
  })
})
