import {
  type DirectiveNode,
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentSpreadNode,
  type GraphQLDirective,
  GraphQLError,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNullableType,
  getVariableValues,
  type InlineFragmentNode,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import { deferDirective } from '../../graphql/defer.ts'

type Spread = FragmentSpreadNode | InlineFragmentNode
type Run = CompiledQuery['query']

/** A fragment that is sent later than its root field, which has the response name `key`. */
export type IncrementalPart = { key: string; label: string | undefined; spread: Spread; run: Run }

/** A document with deferred fragments (`later`); `first` is the document without them. */
export type IncrementalDocument = {
  operation: OperationDefinitionNode
  first: Run
  later: readonly IncrementalPart[]
}

/** Deferred fragments per document, since each costs a compilation; a document with more is sent whole. */
const MAX_INCREMENTAL_PARTS = 5

/**
 * The values of a request's root fields, by the request's context. Deferred fragments reuse them, so that a
 * permission check, a read and its row in the audit log happen once.
 */
const resolved = new WeakMap<object, Map<string, unknown>>()

/** A field without its deferred fragments, with the field that has them. */
type ShortenedField = FieldNode & { whole?: FieldNode }

/** By the nodes of a field, which a compiled document has once. */
const wholes = new WeakMap<readonly ShortenedField[], readonly FieldNode[]>()

/** Returns the nodes of a field as the document has them, for a resolver that reads what is selected. */
function wholeOf(nodes: readonly ShortenedField[]): readonly FieldNode[] {
  const found = wholes.get(nodes) ?? nodes.map((node) => node.whole ?? node)
  wholes.set(nodes, found)
  return found
}

/** Returns a copy of the schema whose root fields store their values in `resolved`. */
function keepRootValues(schema: GraphQLSchema): GraphQLSchema {
  const { fields, ...config } = schema.getQueryType()!.toConfig()
  const storingFields = Object.entries(fields).map(([name, field]) => {
    const resolve = field.resolve ?? defaultFieldResolver
    const resolveAndStore: GraphQLFieldResolver<unknown, object> = async (root, args, context, info) => {
      const value = await resolve(root, args, context, { ...info, fieldNodes: wholeOf(info.fieldNodes) })
      const values = resolved.get(context) ?? new Map()
      resolved.set(context, values.set(keyOf(info.fieldNodes[0]!), value))
      return value
    }
    return [name, { ...field, resolve: resolveAndStore }]
  })
  const query = new GraphQLObjectType({ ...config, fields: Object.fromEntries(storingFields) })
  return withQueryType(schema, query)
}

function withQueryType(schema: GraphQLSchema, query: GraphQLObjectType): GraphQLSchema {
  const { types, ...config } = schema.toConfig()
  return new GraphQLSchema({
    ...config,
    query,
    types: types.filter((type) => type !== schema.getQueryType()),
  })
}

/**
 * Returns a compiler of documents with deferred fragments. Only fragments directly in a root field that is
 * one object are deferred; `@defer` at any other place has no effect, as the directive allows.
 */
export function createIncrementalCompiler(schema: GraphQLSchema) {
  const storingSchema = keepRootValues(schema)
  const schemasByRoot = new Map<GraphQLObjectType, GraphQLSchema>()
  const rootAt = (type: GraphQLObjectType): GraphQLSchema => {
    const rooted = schemasByRoot.get(type) ?? withQueryType(schema, type)
    schemasByRoot.set(type, rooted)
    return rooted
  }

  /** Returns null when the document must be sent whole. */
  return (document: DocumentNode, operation: OperationDefinitionNode): IncrementalDocument | null => {
    if (operation.operation !== 'query') return null
    const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
    const compile = (of: GraphQLSchema, selections: readonly SelectionNode[]): Run | null => {
      const selectionSet = { kind: Kind.SELECTION_SET, selections } as const
      const definitions = [{ ...operation, selectionSet }, ...fragments]
      // A clone, because the library adds marks to the nodes, and the other compilations use the same
      // fragments.
      const compiled = compileQuery(of, structuredClone({ kind: Kind.DOCUMENT, definitions }))
      return isCompiledQuery(compiled) ? compiled.query : null
    }

    const deferred: { key: string; type: GraphQLObjectType; spread: Spread }[] = []
    const withoutDeferred = (field: SelectionNode): SelectionNode => {
      if (field.kind !== Kind.FIELD || !field.selectionSet) return field
      const type = objectTypeOf(schema, field)
      if (!type) return field
      const selections = field.selectionSet.selections.filter((spread) => {
        if (spread.kind === Kind.FIELD || !directiveOf(spread)) return true
        deferred.push({ key: keyOf(field), type, spread })
        return false
      })
      const selectionSet = { ...field.selectionSet, selections: orTypeName(selections) }
      const shortened: ShortenedField = { ...field, selectionSet, whole: field }
      return shortened
    }
    const rest = operation.selectionSet.selections.map(withoutDeferred)
    if (deferred.length === 0 || deferred.length > MAX_INCREMENTAL_PARTS) return null
    const first = compile(storingSchema, rest)
    const later = deferred.flatMap(({ key, type, spread }) => {
      const run = compile(rootAt(type), [spread])
      return run ? [{ key, label: labelOf(spread), spread, run }] : []
    })
    return first && later.length === deferred.length ? { operation, first, later } : null
  }
}

/**
 * Returns the type of a root field that is a single object and has no directive (`@skip`, `@include`); null
 * otherwise.
 */
function objectTypeOf(schema: GraphQLSchema, field: FieldNode): GraphQLObjectType | null {
  if (field.directives?.length) return null
  const type = getNullableType(schema.getQueryType()?.getFields()[field.name.value]?.type)
  return isObjectType(type) ? type : null
}

const keyOf = ({ alias, name }: FieldNode): string => alias?.value ?? name.value

/** Adds `__typename` to an empty selection, which GraphQL does not allow. */
const orTypeName = (selections: SelectionNode[]): SelectionNode[] =>
  selections.length > 0 ? selections : [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }]

const directiveOf = ({ directives }: Spread): DirectiveNode | undefined =>
  directives?.find(({ name }) => name.value === deferDirective.name)

function labelOf(spread: Spread): string | undefined {
  const label = directiveOf(spread)?.arguments?.find(({ name }) => name.value === 'label')?.value
  return label?.kind === Kind.STRING ? label.value : undefined
}

/**
 * Returns the deferred fragments that a request wants, by its variables; empty when the document must be sent
 * whole.
 */
export function requestedParts(
  schema: GraphQLSchema,
  { operation, later }: IncrementalDocument,
  variables: Record<string, unknown>,
): readonly IncrementalPart[] {
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
  if (!coerced) return []
  const readIf = (directive: GraphQLDirective, { spread }: IncrementalPart) =>
    getDirectiveValues(directive, spread, coerced)?.if
  try {
    if (later.some((part) => readIf(deferDirective, part) === false)) return []
    return later.filter(
      (part) =>
        readIf(GraphQLIncludeDirective, part) !== false && readIf(GraphQLSkipDirective, part) !== true,
    )
  } catch {
    // A variable is null where null is not allowed; running the whole document reports that error.
    return []
  }
}

export type IncrementalResult = {
  data?: unknown
  path: readonly string[]
  label?: string
  errors?: readonly GraphQLError[]
}

/**
 * Runs a deferred fragment of a request whose first result exists. Paths of errors begin at the root, as in
 * any response.
 */
export async function executeIncrementalPart(
  { key, label, run }: IncrementalPart,
  context: object,
  variables: Record<string, unknown>,
): Promise<IncrementalResult> {
  const { data, errors } = await run(resolved.get(context)?.get(key), context, variables)
  const result = { data, path: [key], ...(label === undefined ? {} : { label }) }
  if (!errors) return result
  const errorsFromRoot = errors.map(({ message, path = [], originalError, extensions }) => {
    return new GraphQLError(message, {
      path: [key, ...path],
      originalError: originalError ?? null,
      extensions,
    })
  })
  return { ...result, errors: errorsFromRoot }
}
