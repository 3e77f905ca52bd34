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

/** A fragment that comes later than the root field of the name `key` that it is of. */
export type IncrementalPart = { key: string; label: string | undefined; spread: Spread; run: Run }

/** A document of which parts may come later: `first` is all of it but those. */
export type IncrementalDocument = {
  operation: OperationDefinitionNode
  first: Run
  later: readonly IncrementalPart[]
}

/** Fragments of a document that come later; where there are more, it comes whole. Each costs a compilation. */
const MAX_INCREMENTAL_PARTS = 5

/**
 * What the root fields of a request have resolved to, for the later parts of them: a refusal, a reading and its row in the journal
 * happen once.
 */
const resolved = new WeakMap<object, Map<string, unknown>>()

/** The same schema, whose root fields leave what they resolve to in `resolved`. */
function keepRootValues(schema: GraphQLSchema): GraphQLSchema {
  const { fields, ...config } = schema.getQueryType()!.toConfig()
  const kept = Object.entries(fields).map(([name, field]) => {
    const resolve = field.resolve ?? defaultFieldResolver
    const keep: GraphQLFieldResolver<unknown, object> = async (root, args, context, info) => {
      const value = await resolve(root, args, context, info)
      const values = resolved.get(context) ?? new Map()
      resolved.set(context, values.set(keyOf(info.fieldNodes[0]!), value))
      return value
    }
    return [name, { ...field, resolve: keep }]
  })
  return withQueryType(schema, new GraphQLObjectType({ ...config, fields: Object.fromEntries(kept) }))
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
 * Compiles the parts of documents. Fragments come later that stand directly in a root field of a query that is one object; a
 * `@defer` anywhere else changes nothing, as the directive allows.
 */
export function createIncrementalCompiler(schema: GraphQLSchema) {
  const keeping = keepRootValues(schema)
  const rooted = new Map<GraphQLObjectType, GraphQLSchema>()
  const rootAt = (type: GraphQLObjectType): GraphQLSchema => {
    const made = rooted.get(type) ?? withQueryType(schema, type)
    rooted.set(type, made)
    return made
  }

  /** Null where all of it comes at once. */
  return (document: DocumentNode, operation: OperationDefinitionNode): IncrementalDocument | null => {
    if (operation.operation !== 'query') return null
    const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
    const compile = (of: GraphQLSchema, selections: readonly SelectionNode[]): Run | null => {
      const selectionSet = { kind: Kind.SELECTION_SET, selections } as const
      const definitions = [{ ...operation, selectionSet }, ...fragments]
      // The library marks the nodes that it reads, and the fragments are of other documents too.
      const made = compileQuery(of, structuredClone({ kind: Kind.DOCUMENT, definitions }))
      return isCompiledQuery(made) ? made.query : null
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
      return { ...field, selectionSet: { ...field.selectionSet, selections: orTypeName(selections) } }
    }
    const rest = operation.selectionSet.selections.map(withoutDeferred)
    if (deferred.length === 0 || deferred.length > MAX_INCREMENTAL_PARTS) return null
    const first = compile(keeping, rest)
    const later = deferred.flatMap(({ key, type, spread }) => {
      const run = compile(rootAt(type), [spread])
      return run ? [{ key, label: labelOf(spread), spread, run }] : []
    })
    return first && later.length === deferred.length ? { operation, first, later } : null
  }
}

/** The type of a root field that is one object, not a list of them, and stands there in any case. */
function objectTypeOf(schema: GraphQLSchema, field: FieldNode): GraphQLObjectType | null {
  if (field.directives?.length) return null
  const type = getNullableType(schema.getQueryType()?.getFields()[field.name.value]?.type)
  return isObjectType(type) ? type : null
}

const keyOf = ({ alias, name }: FieldNode): string => alias?.value ?? name.value

/** A selection of nothing is none. */
const orTypeName = (selections: SelectionNode[]): SelectionNode[] =>
  selections.length > 0 ? selections : [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }]

const directiveOf = ({ directives }: Spread): DirectiveNode | undefined =>
  directives?.find(({ name }) => name.value === deferDirective.name)

function labelOf(spread: Spread): string | undefined {
  const label = directiveOf(spread)?.arguments?.find(({ name }) => name.value === 'label')?.value
  return label?.kind === Kind.STRING ? label.value : undefined
}

/** Those parts that a request wants, by its variables; none: all of the document is to come at once. */
export function requestedParts(
  schema: GraphQLSchema,
  { operation, later }: IncrementalDocument,
  variables: Record<string, unknown>,
): readonly IncrementalPart[] {
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
  if (!coerced) return []
  const says = (directive: GraphQLDirective, { spread }: IncrementalPart) =>
    getDirectiveValues(directive, spread, coerced)?.if
  try {
    if (later.some((part) => says(deferDirective, part) === false)) return []
    return later.filter(
      (part) => says(GraphQLIncludeDirective, part) !== false && says(GraphQLSkipDirective, part) !== true,
    )
  } catch {
    // A null where there must be none: the whole document says so.
    return []
  }
}

export type IncrementalResult = {
  data?: unknown
  path: readonly string[]
  label?: string
  errors?: readonly GraphQLError[]
}

/** Runs a later part of a request whose first part has run. Paths of errors begin at the root, as in any answer. */
export async function executeIncrementalPart(
  { key, label, run }: IncrementalPart,
  context: object,
  variables: Record<string, unknown>,
): Promise<IncrementalResult> {
  const { data, errors } = await run(resolved.get(context)?.get(key), context, variables)
  const named = { data, path: [key], ...(label === undefined ? {} : { label }) }
  if (!errors) return named
  const placed = errors.map(({ message, path = [], originalError, extensions }) => {
    return new GraphQLError(message, {
      path: [key, ...path],
      originalError: originalError ?? null,
      extensions,
    })
  })
  return { ...named, errors: placed }
}
