import { createHash } from 'node:crypto'
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import { assertQueryCost } from './graphql-limits.ts'
import { createIncrementalCompiler, type IncrementalDocument } from './incremental-documents.ts'
import type { Operations } from './operations.ts'

const MAX_TOKENS = 2_000
/** Characters; a comment is no token. The longest of the product's own has a third of it. */
const MAX_DOCUMENT_CHARACTERS = 16 * 1024
/** Errors of one document that are told. */
const MAX_ERRORS = 10
/** Foreign documents kept compiled; the product's own are kept all. */
const MAX_COMPILED_DOCUMENTS = 500

/** A document that may run, compiled; `inParts` for a client that takes it so, null where nothing of it may come later. */
export type Executable = { run: CompiledQuery['query']; inParts(): IncrementalDocument | null }
type RejectedDocument = { errors: readonly GraphQLError[] }

export type DocumentRules = {
  /** In production nobody asks for the schema. */
  production: boolean
  /** One of the product's own: it has been read by people and needs no limits. */
  own?: boolean
}

/** Reads a document as every door of GraphQL takes it: parsed, valid, modest. Answers its faults where it is not. */
export function prepareDocument(
  schema: GraphQLSchema,
  text: string,
  { production, own = false }: DocumentRules,
): DocumentNode | RejectedDocument {
  try {
    if (!own && text.length > MAX_DOCUMENT_CHARACTERS) throw new GraphQLError('the document is too long')
    const document = parse(text, { maxTokens: MAX_TOKENS, noLocation: true })
    const rules = production ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules
    // No suggestions: they would tell the names of what was not asked.
    const errors = validate(schema, document, rules, { maxErrors: MAX_ERRORS, hideSuggestions: true })
    if (errors.length > 0) return { errors: errors.map(toRejected) }
    if (!own) assertQueryCost(document, schema)
    return document
  } catch (error) {
    return { errors: [toRejected(error)] }
  }
}

type Compilers = { schema: GraphQLSchema; compileParts: ReturnType<typeof createIncrementalCompiler> }

/** The documents of one door: the product's own by their hash [7.8], all others by their text, each compiled once. */
export function createDocuments(schema: GraphQLSchema, production: boolean, operations: Operations) {
  const compilers = { schema, compileParts: createIncrementalCompiler(schema) }
  const own = new Map<string, Executable | RejectedDocument>()
  const foreign = new Map<string, Executable | RejectedDocument>()
  const ownTexts = new Set(operations.values())

  return {
    /** Null for a hash that no operation of this build has. */
    findByHash: (hash: string): Executable | RejectedDocument | null => {
      const text = operations.get(hash)
      if (text === undefined) return null
      const known = own.get(hash)
      if (known) return known
      const made = compileDocument(compilers, text, null, { production, own: true })
      own.set(hash, made)
      return made
    },
    findByText: (text: string, operationName: string | null): Executable | RejectedDocument => {
      // Not the text itself: five hundred of them would be kept.
      const key = createHash('sha256')
        .update(`${operationName ?? ''}\n${text}`)
        .digest('base64url')
      const known = foreign.get(key)
      if (known) return known
      const made = compileDocument(compilers, text, operationName, { production, own: ownTexts.has(text) })
      if ('errors' in made) return made
      if (foreign.size >= MAX_COMPILED_DOCUMENTS) foreign.delete(foreign.keys().next().value!)
      foreign.set(key, made)
      return made
    },
  }
}

function compileDocument(
  { schema, compileParts }: Compilers,
  text: string,
  operationName: string | null,
  rules: DocumentRules,
): Executable | RejectedDocument {
  const document = prepareDocument(schema, text, rules)
  if ('errors' in document) return document
  const operation = getOperationAST(document, operationName)
  if (operation?.operation === 'subscription') {
    return { errors: [toRejected(new GraphQLError('subscriptions use the websocket'))] }
  }
  // The library marks the nodes that it reads; the parts want them as they were.
  const made = compileQuery(schema, structuredClone(document), operationName ?? undefined)
  if (!isCompiledQuery(made)) return { errors: made.errors?.map(toRejected) ?? [] }
  let inParts: IncrementalDocument | null | undefined
  return {
    run: made.query,
    inParts: () => {
      if (inParts === undefined) inParts = operation ? compileParts(document, operation) : null
      return inParts
    },
  }
}

function toRejected(error: unknown): GraphQLError {
  const message = error instanceof Error ? error.message : 'refused'
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}
