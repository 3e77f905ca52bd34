import {
  type DirectiveNode,
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentSpreadNode,
  GraphQLError,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getVariableValues,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import { deferDirective } from '../graphql/defer.ts'

type Spread = FragmentSpreadNode | InlineFragmentNode
type Run = CompiledQuery['query']

/** A fragment that comes later than the root field of the name `key` that it is of. */
export type LaterPart = { key: string; label: string | undefined; spread: Spread; run: Run }

/** A document of which parts may come later: `first` is all of it but those. */
export type DocumentInParts = { operation: OperationDefinitionNode; first: Run; later: readonly LaterPart[] }

const COMPILER = { customJSONSerializer: false }

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
export function createPartCompiler(schema: GraphQLSchema) {
  const keeping = keepRootValues(schema)

  /** Null where all of it comes at once. */
  return (document: DocumentNode, operation: OperationDefinitionNode): DocumentInParts | null => {
    if (operation.operation !== 'query') return null
    const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
    const compile = (of: GraphQLSchema, selections: readonly SelectionNode[]): Run | null => {
      const selectionSet = { kind: Kind.SELECTION_SET, selections } as const
      const definitions = [{ ...operation, selectionSet }, ...fragments]
      const made = compileQuery(of, { kind: Kind.DOCUMENT, definitions }, undefined, COMPILER)
      return isCompiledQuery(made) ? made.query : null
    }

    const later: LaterPart[] = []
    const withoutDeferred = (field: SelectionNode): SelectionNode => {
      if (field.kind !== Kind.FIELD || !field.selectionSet) return field
      const type = objectTypeOf(schema, field)
      const selections = field.selectionSet.selections.filter((spread) => {
        const defer = spread.kind !== Kind.FIELD && directiveOf(spread)
        if (!type || !defer) return true
        const run = compile(withQueryType(schema, type), [spread])
        if (run) later.push({ key: keyOf(field), label: labelOf(defer), spread, run })
        return !run
      })
      return { ...field, selectionSet: { ...field.selectionSet, selections: orTypeName(selections) } }
    }
    const rest = operation.selectionSet.selections.map(withoutDeferred)
    const first = later.length > 0 ? compile(keeping, rest) : null
    return first && { operation, first, later }
  }
}

/** The type of a root field that is one object, not a list of them. */
function objectTypeOf(schema: GraphQLSchema, field: FieldNode): GraphQLObjectType | null {
  const type = schema.getQueryType()?.getFields()[field.name.value]?.type
  const named = type && 'ofType' in type && String(type).endsWith('!') ? type.ofType : type
  return named instanceof GraphQLObjectType ? named : null
}

const keyOf = ({ alias, name }: FieldNode): string => alias?.value ?? name.value

/** A selection of nothing is none. */
const orTypeName = (selections: SelectionNode[]): SelectionNode[] =>
  selections.length > 0 ? selections : [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }]

const directiveOf = ({ directives }: Spread): DirectiveNode | undefined =>
  directives?.find(({ name }) => name.value === deferDirective.name)

function labelOf({ arguments: given }: DirectiveNode): string | undefined {
  const label = given?.find(({ name }) => name.value === 'label')?.value
  return label?.kind === Kind.STRING ? label.value : undefined
}

/** Those parts that a request wants, by its variables; none: all of the document is to come at once. */
export function wantedParts(
  schema: GraphQLSchema,
  { operation, later }: DocumentInParts,
  variables: Record<string, unknown>,
): readonly LaterPart[] {
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
  if (
    !coerced ||
    later.some(({ spread }) => getDirectiveValues(deferDirective, spread, coerced)?.if === false)
  )
    return []
  return later.filter(
    ({ spread }) =>
      getDirectiveValues(GraphQLIncludeDirective, spread, coerced)?.if !== false &&
      getDirectiveValues(GraphQLSkipDirective, spread, coerced)?.if !== true,
  )
}

export type LaterResult = {
  data?: unknown
  path: readonly string[]
  label?: string
  errors?: readonly GraphQLError[]
}

/** Runs a later part of a request whose first part has run. Paths of errors begin at the root, as in any answer. */
export async function runLaterPart(
  { key, label, run }: LaterPart,
  context: object,
  variables: Record<string, unknown>,
): Promise<LaterResult> {
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
