import type { ObjectRef } from '@pothos/core'
import { LIMITS } from '../../shared/limits.ts'
import { invalid } from '../errors.ts'
import type { PageRequest } from '../platform/keyset.ts'
import { builder } from './builder.ts'

/** A page of a list and the cursor of the next page; `endCursor` is null on the last page. */
export type Page<T> = { nodes: T[]; endCursor: string | null }

type Described = { description: string }
type ArgBuilder = { arg: { int(options: Described): unknown; string(options: Described): unknown } }

/** Returns the paging arguments of a list field: `first` (number of rows) and `after` (cursor). */
export const pageArgs = <T extends ArgBuilder>(t: T) => ({
  first: t.arg.int({
    description: `The number of rows: ${LIMITS.pageSize} if omitted, at most ${LIMITS.pageSizeMax}.`,
  }) as ReturnType<T['arg']['int']>,
  after: t.arg.string({
    description: 'The `endCursor` of the page before; the first page if omitted.',
  }) as ReturnType<T['arg']['string']>,
})

/** The paging arguments as a resolver receives them. */
export type PageArgs = { first?: number | null | undefined; after?: string | null | undefined }
export type SearchArgs = PageArgs & { search?: string | null | undefined }

/**
 * Every list is ordered by one column and, where that is equal, by the id: a cursor has the values of both.
 */
const CURSOR_VALUES = 2

/**
 * Reads `first` and `after`; throws BAD_USER_INPUT when `first` is out of range or the cursor is malformed.
 */
export function parsePage(args: PageArgs): PageRequest {
  const limit = args.first ?? LIMITS.pageSize
  if (limit < 1 || limit > LIMITS.pageSizeMax) {
    throw invalid([{ field: 'first', message: `O pagină are între 1 și ${LIMITS.pageSizeMax} de rânduri.` }])
  }
  return { limit, after: args.after ? decodeCursor(args.after) : null }
}

function decodeCursor(cursor: string): string[] {
  const invalidCursor = () => invalid([{ field: 'after', message: 'Pagina cerută nu există.' }])
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw invalidCursor()
  }
  if (
    !Array.isArray(values) ||
    values.length !== CURSOR_VALUES ||
    !values.every((value) => typeof value === 'string')
  ) {
    throw invalidCursor()
  }
  return values
}

/**
 * Returns the trimmed search text; throws BAD_USER_INPUT when it is too long, since each of its words costs
 * the database.
 */
export function readSearch(text: string | null | undefined, field = 'search'): string {
  const search = text?.trim() ?? ''
  if (search.length <= LIMITS.searchText) return search
  throw invalid([{ field, message: `Se pot căuta cel mult ${LIMITS.searchText} de caractere odată.` }])
}

/** Builds a page from rows that include one beyond the page, which only shows that another page follows. */
export function toPage<T>(rows: T[], { limit }: PageRequest, keysOf: (row: T) => [string, string]): Page<T> {
  const nodes = rows.slice(0, limit)
  const last = nodes.at(-1)
  const endCursor =
    rows.length > limit && last ? Buffer.from(JSON.stringify(keysOf(last))).toString('base64url') : null
  return { nodes, endCursor }
}

type Types = typeof builder.$inferSchemaTypes

/** Defines the GraphQL type of a page of `node`; `Shape` is the type of pages with further properties. */
export function pageType<T, Shape extends Page<T> = Page<T>>(name: string, node: ObjectRef<Types, T>) {
  return builder.objectRef<Shape>(name).implement({
    description: 'A page of a list.',
    fields: (t) => ({
      nodes: t.field({ type: [node], resolve: (page) => page.nodes }),
      endCursor: t.string({
        description: 'The argument `after` of the next page; null on the last page.',
        nullable: true,
        resolve: (page) => page.endCursor,
      }),
    }),
  })
}
