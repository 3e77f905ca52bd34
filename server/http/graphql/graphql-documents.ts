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
import { LIMITS } from '../../../shared/limits.ts'
import { queryError } from '../../errors.ts'
import { assertQueryCost } from './graphql-limits.ts'
import { createIncrementalCompiler, type IncrementalDocument } from './incremental-documents.ts'
import type { Operations } from './operations.ts'

const MAX_TOKENS = 2_000
/**
 * Limits comments too, which MAX_TOKENS does not count. The product's longest document has a third of this
 * length.
 */
const MAX_DOCUMENT_CHARACTERS = 16 * 1024
/** Errors reported for one document. */
const MAX_ERRORS = 10
/** Compiled documents of other clients kept in memory; those of the product are all kept. */
const MAX_COMPILED_DOCUMENTS = 500

/**
 * A compiled document. `inParts` returns it for an incremental response (compiled at the first call), or null
 * when none of its fragments can come later.
 */
export type Executable = { run: CompiledQuery['query']; inParts(): IncrementalDocument | null }
type RejectedDocument = { errors: readonly GraphQLError[] }

export type DocumentRules = {
  /** Introspection of the schema is not allowed in production. */
  production: boolean
  /** Whether the document is the product's own, which needs no limits. */
  own?: boolean
  /** Whether it was sent with an API key, which may request fewer root fields. */
  isKey?: boolean
}

/**
 * Parses and validates a document and checks its cost, for HTTP and websocket alike. Returns the errors if
 * there are any.
 */
export function prepareDocument(
  schema: GraphQLSchema,
  text: string,
  { production, own = false, isKey = false }: DocumentRules,
): DocumentNode | RejectedDocument {
  try {
    if (!own && text.length > MAX_DOCUMENT_CHARACTERS) throw new GraphQLError('the document is too long')
    const document = parse(text, { maxTokens: MAX_TOKENS, noLocation: true })
    const rules = production ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules
    // Suggestions would reveal names of fields that were not requested.
    const errors = validate(schema, document, rules, { maxErrors: MAX_ERRORS, hideSuggestions: true })
    if (errors.length > 0) return { errors: errors.map(toRejected) }
    if (!own) assertQueryCost(document, schema, isKey ? LIMITS.keyRootFields : undefined)
    return document
  } catch (error) {
    return { errors: [toRejected(error)] }
  }
}

type Compilers = { schema: GraphQLSchema; compileParts: ReturnType<typeof createIncrementalCompiler> }

/**
 * Finds compiled documents: the product's own by hash [7.8] or text, all others by text. Each is compiled
 * once.
 */
export function createDocuments(schema: GraphQLSchema, production: boolean, operations: Operations) {
  const compilers = { schema, compileParts: createIncrementalCompiler(schema) }
  const byHash = new Map<string, Executable | RejectedDocument>()
  const byText = new Map<string, Executable | RejectedDocument>()
  const ownTexts = new Set(operations.values())

  return {
    /** Whether the text is a document of the product. */
    isOwn: (text: string): boolean => ownTexts.has(text),
    /** Returns null when no operation of this build has the hash. */
    findByHash: (hash: string): Executable | RejectedDocument | null => {
      const text = operations.get(hash)
      if (text === undefined) return null
      const known = byHash.get(hash)
      if (known) return known
      const compiled = compileDocument(compilers, text, null, { production, own: true })
      byHash.set(hash, compiled)
      return compiled
    },
    findByText: (
      text: string,
      operationName: string | null,
      isKey = false,
    ): Executable | RejectedDocument => {
      // A hash as the key, so that the texts are not kept in memory.
      const key = createHash('sha256')
        .update(`${isKey}\n${operationName ?? ''}\n${text}`)
        .digest('base64url')
      const known = byText.get(key)
      if (known) return known
      const own = ownTexts.has(text)
      const compiled = compileDocument(compilers, text, operationName, { production, own, isKey })
      if ('errors' in compiled) return compiled
      if (byText.size >= MAX_COMPILED_DOCUMENTS) byText.delete(byText.keys().next().value!)
      byText.set(key, compiled)
      return compiled
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
    return { errors: [queryError('subscriptions use the websocket')] }
  }
  // A clone, because the library adds marks to the nodes, and the incremental compiler needs them unmarked.
  const compiled = compileQuery(schema, structuredClone(document), operationName ?? undefined)
  if (!isCompiledQuery(compiled)) return { errors: compiled.errors?.map(toRejected) ?? [] }
  let inParts: IncrementalDocument | null | undefined
  return {
    run: compiled.query,
    inParts: () => {
      if (inParts === undefined) inParts = operation ? compileParts(document, operation) : null
      return inParts
    },
  }
}

const toRejected = (error: unknown): GraphQLError =>
  queryError(error instanceof Error ? error.message : 'rejected')
