import type { ObjectRef } from '@pothos/core'
import { LIMITS } from '../../shared/limits.ts'
import { invalid } from '../errors.ts'
import type { PageRequest } from '../platform/keyset.ts'
import { builder } from './builder.ts'

/** One page of a list and the cursor to go on with; `endCursor` null: that was all. */
export type Page<T> = { nodes: T[]; endCursor: string | null }

type ArgBuilder = { arg: { int(): unknown; string(): unknown } }

/** The arguments of every list: how many rows, and after which. */
export const pageArgs = <T extends ArgBuilder>(t: T) => ({
  first: t.arg.int() as ReturnType<T['arg']['int']>,
  after: t.arg.string() as ReturnType<T['arg']['string']>,
})

/** What GraphQL hands a list's verb. */
export type PageArgs = { first?: number | null | undefined; after?: string | null | undefined }
export type SearchArgs = PageArgs & { search?: string | null | undefined }

/** Reads `first` and `after`; a cursor of another list is refused like any other bad input. */
export function parsePage(args: PageArgs, keys: number): PageRequest {
  const limit = args.first ?? LIMITS.pageSize
  if (limit < 1 || limit > LIMITS.pageSizeMax) {
    throw invalid([{ field: 'first', message: `O pagină are între 1 și ${LIMITS.pageSizeMax} de rânduri.` }])
  }
  return { limit, after: args.after ? decodeCursor(args.after, keys) : null }
}

function decodeCursor(cursor: string, keys: number): string[] {
  const refused = () => invalid([{ field: 'after', message: 'Pagina cerută nu există.' }])
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw refused()
  }
  if (
    !Array.isArray(values) ||
    values.length !== keys ||
    !values.every((value) => typeof value === 'string')
  ) {
    throw refused()
  }
  return values
}

/** Reads the text of a search, trimmed. One that no field would take is refused: each of its words costs the database. */
export function readSearch(text: string | null | undefined, field = 'search'): string {
  const search = text?.trim() ?? ''
  if (search.length <= LIMITS.searchText) return search
  throw invalid([{ field, message: `Se pot căuta cel mult ${LIMITS.searchText} de caractere odată.` }])
}

/** Cuts the one row read beyond the page, which only says that there is more. */
export function toPage<T>(rows: T[], { limit }: PageRequest, keysOf: (row: T) => string[]): Page<T> {
  const nodes = rows.slice(0, limit)
  const last = nodes.at(-1)
  const endCursor =
    rows.length > limit && last ? Buffer.from(JSON.stringify(keysOf(last))).toString('base64url') : null
  return { nodes, endCursor }
}

type Types = typeof builder.$inferSchemaTypes

/** The GraphQL type of a page of `node`; of pages that say more, `Shape`. */
export function pageType<T, Shape extends Page<T> = Page<T>>(name: string, node: ObjectRef<Types, T>) {
  return builder.objectRef<Shape>(name).implement({
    fields: (t) => ({
      nodes: t.field({ type: [node], resolve: (page) => page.nodes }),
      endCursor: t.string({ nullable: true, resolve: (page) => page.endCursor }),
    }),
  })
}
