import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { LIMITS } from '../../../shared/limits.ts'
import { queryError } from '../../errors.ts'

/**
 * The limits of one document with its fragments expanded. `cost` is the number of objects that the server may
 * look up; a field that needs many statements names a larger one in its `extensions`.
 */
const MAX_COSTS = { depth: 8, fields: 250, rootFields: 10, aliases: 60, cost: 1_000 } as const
/**
 * The assumed length of a list without pages: files of an upload, referrals of a patient. A field whose list is longer names
 * the length in `extensions.rows`.
 */
const ASSUMED_LIST_LENGTH = 10

type Place = { parent: string; depth: number; times: number; inPage: boolean }

/**
 * Throws BAD_USER_INPUT for a valid document that requests more than any screen does, before any field is
 * resolved. Deferred fragments count like all others, since their cost is the same.
 */
export function assertQueryCost(
  document: DocumentNode,
  schema: GraphQLSchema,
  maxRootFields: number = MAX_COSTS.rootFields,
): void {
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  )
  let fields = 0
  let rootsLeft = 0
  let aliases = 0
  let cost = 0
  const reject = (message: string) => {
    throw queryError(message)
  }

  const enter = (node: FieldNode, { parent, depth, times, inPage }: Place) => {
    fields += 1
    if (depth === 1) rootsLeft -= 1
    if (rootsLeft < 0) reject('the query has too many root fields')
    if (node.alias) aliases += 1
    if (fields > MAX_COSTS.fields || aliases > MAX_COSTS.aliases) reject('the query requests too many fields')
    if (!node.selectionSet) return
    const field = findField(schema, parent, node.name.value)
    cost += times * costOf(field)
    if (cost > MAX_COSTS.cost) reject('the query costs too much')
    const rows = field ? rowsOf(node, field, inPage) : 1
    walk(node.selectionSet, {
      parent: field ? getNamedType(field.type).name : '',
      depth: depth + 1,
      times: times * rows,
      inPage: field ? isPaged(field) : false,
    })
  }
  const walk = (selections: SelectionSetNode, place: Place) => {
    if (place.depth > MAX_COSTS.depth) reject('the query is too deep')
    for (const node of selections.selections) {
      if (node.kind === Kind.FIELD) {
        enter(node, place)
        continue
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
      const parent = fragment?.typeCondition?.name.value ?? place.parent
      if (fragment) walk(fragment.selectionSet, { ...place, parent })
    }
  }

  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue
    rootsLeft = node.operation === 'mutation' ? 1 : maxRootFields
    const parent = schema.getRootType(node.operation)?.name ?? ''
    walk(node.selectionSet, { parent, depth: 1, times: 1, inPage: false })
  }
}

/** Returns undefined for the fields that GraphQL adds to every schema (`__typename`), which cost nothing. */
function findField(schema: GraphQLSchema, parent: string, name: string) {
  const type = schema.getType(parent)
  return isCompositeType(type) && 'getFields' in type ? type.getFields()[name] : undefined
}

/**
 * Returns how many objects one look-up of the field counts as: `extensions.cost` of the field, or one. Each alias counts, since
 * each is resolved.
 */
const costOf = (field: GraphQLField<unknown, unknown> | undefined): number =>
  Number(field?.extensions.cost ?? 1)

const isPaged = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.some(({ name }) => name === 'first')

/**
 * Returns how many times the fields below this one are looked up. A page multiplies by its size, and its list
 * of rows by 1.
 */
function rowsOf(node: FieldNode, field: GraphQLField<unknown, unknown>, inPage: boolean): number {
  if (isPaged(field)) return pageSize(node)
  if (!isListType(getNullableType(field.type)) || inPage) return 1
  return Number(field.extensions.rows ?? ASSUMED_LIST_LENGTH)
}

/** Returns the page size of a field; a variable counts as the largest allowed size. */
function pageSize(node: FieldNode): number {
  const first = node.arguments?.find(({ name }) => name.value === 'first')?.value
  if (!first || first.kind === Kind.NULL) return LIMITS.pageSize
  if (first.kind !== Kind.INT) return LIMITS.pageSizeMax
  return Math.min(Math.max(Number(first.value), 1), LIMITS.pageSizeMax)
}
