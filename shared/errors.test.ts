import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ERRORS, errorOf } from './errors.ts'

const SOURCES = globSync('{server,shared,web}/**/*.{ts,tsx}')
  .filter((path) => !/\.(test|stories)\.tsx?$|generated|^web\/catalogue\//.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** Codes of Apollo's protocol, whose client repeats the request: no errors of the product. */
const PROTOCOL_CODES = ['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_NOT_SUPPORTED']

describe('the table of errors', () => {
  it('has each status once, except 403 and 409, and for each code a default', () => {
    const particular: string[] = ['FRESH_PROOF_REQUIRED', 'IN_PROGRESS', 'IDEMPOTENCY_CONFLICT']
    const statuses = ERRORS.map(({ code, status }) => (particular.includes(code) ? code : status))
    expect(new Set(statuses).size).toBe(statuses.length)
    expect(errorOf(403).code).toBe('FORBIDDEN')
    for (const { code, status } of ERRORS) {
      if (!particular.includes(code)) expect(errorOf(status).code).toBe(code)
      expect(errorOf(code)).toBe(ERRORS.find((error) => error.code === code))
    }
  })

  it('addresses no reader, since users of every role read its sentences', () => {
    const addresses = /(?<!\p{L})(ai|ești|tău|ta|dumneavoastră|încearcă|reia|reîncarcă|anunță)(?!\p{L})/iu
    expect(ERRORS.filter(({ message }) => addresses.test(message))).toEqual([])
  })

  it('has every code that the product sends', () => {
    const known: string[] = [...ERRORS.map(({ code }) => code), ...PROTOCOL_CODES]
    const sent = SOURCES.filter(({ path }) => path.startsWith('server/')).flatMap(({ text }) =>
      [...text.matchAll(/\bcode: '([A-Z]+(?:_[A-Z]+)+|[A-Z]{5,})'/g)].map(([, code]) => code!),
    )
    expect(sent).toContain('BAD_USER_INPUT')
    expect(sent.filter((code) => !known.includes(code) && code !== 'ENOSPC')).toEqual([])
  })

  it('no response names its error beside the table', () => {
    const beside = SOURCES.filter(({ text }) => /c\.json\(\s*\{ code: '/.test(text))
    expect(beside.map(({ path }) => path)).toEqual([])
  })
})

/** Texts of at least three words that end as sentences do, in quotes or between the tags of an element. */
const SENTENCES = [
  /(['"`])([A-ZĂÂÎȘȚ„](?:(?!\1)[^\n])* (?:(?!\1)[^\n])* (?:(?!\1)[^\n])*[.!?])\1/g,
  />(\s*)([A-ZĂÂÎȘȚ„][^<>{}`'"]* [^<>{}`'"]* [^<>{}`'"]*[.!?])\s*</g,
]

it('no sentence for people is written twice', () => {
  const found = new Map<string, string[]>()
  // The descriptions of the GraphQL schema are English and for programmers.
  for (const { path, text } of SOURCES.filter(({ path }) => !/\.graphql\.ts$|^server\/graphql\//.test(path)))
    for (const pattern of SENTENCES)
      for (const [, , sentence = ''] of text.matchAll(pattern)) {
        const key = sentence.replace(/\s+/g, ' ')
        found.set(key, [...(found.get(key) ?? []), path])
      }
  expect(found.size).toBeGreaterThan(300)
  expect([...found].filter(([, paths]) => paths.length > 1)).toEqual([])
})
