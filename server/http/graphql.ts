import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import type { UserCtx } from '../context.ts'
import { Refusal } from '../errors.ts'
import { recordAudit } from '../features/audit/record-audit.ts'
import { createContext, type Parts } from '../parts.ts'
import { isDatabaseAway, isValueRefused } from '../platform/database.ts'
import { errorFacts } from '../platform/log.ts'
import { findBearer } from './actors.ts'
import { assertModestDocument } from './graphql-limits.ts'
import type { Env } from './types.ts'

const MAX_BODY = 256 * 1024
const MAX_TOKENS = 2_000
/** Documents kept compiled; the product's own are far fewer. */
const MAX_COMPILED = 500

const requestBody = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
})

type Compiled = CompiledQuery | { errors: readonly GraphQLError[] }

/** GraphQL over POST and JSON [7.8]: authenticated by the id_token, each document validated and compiled once. */
export function createGraphqlDoor(parts: Parts, schema: GraphQLSchema): Hono<Env> {
  const compiled = new Map<string, Compiled>()

  function prepare(query: string, operationName: string | null | undefined): Compiled {
    const key = `${operationName ?? ''}\n${query}`
    const known = compiled.get(key)
    if (known) return known
    const made = compileDocument(schema, query, operationName)
    if (isPrepared(made)) {
      if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value!)
      compiled.set(key, made)
    }
    return made
  }

  const door = new Hono<Env>()
  door.post(
    '/',
    bodyLimit({ maxSize: MAX_BODY, onError: (c) => c.json(failure('BAD_USER_INPUT'), 413) }),
    async (c) => {
      const session = await findBearer(parts, c.req.header('authorization'))
      if (!session) return c.json(failure('UNAUTHENTICATED'), 401)
      if (!c.req.header('content-type')?.startsWith('application/json'))
        return c.json(failure('BAD_USER_INPUT'), 415)
      const body = requestBody.safeParse(await c.req.json().catch(() => null))
      if (!body.success) return c.json(failure('BAD_USER_INPUT'), 400)

      const prepared = prepare(body.data.query, body.data.operationName)
      if (!isPrepared(prepared))
        return c.json({ errors: prepared.errors.map((error) => error.toJSON()) }, 400)
      const context = createContext(parts, session.actor, c.get('facts'))
      const result = await prepared.query(undefined, context, body.data.variables ?? {})
      if (!result.errors) return c.json(result)
      await recordDenials(context, result.errors)
      const errors = result.errors.map((error) => formatError(error, parts, c.get('facts').id))
      const away = errors.some((error) => error.extensions.code === 'UNAVAILABLE')
      if (away) c.header('retry-after', '2')
      return c.json({ ...result, errors }, away ? 503 : 200)
    },
  )
  return door
}

const DENIALS: ReadonlySet<string> = new Set(['FORBIDDEN', 'NOT_FOUND'])

/** Who tried to reach what they may not, or what is not there: which of the two, the journal does not tell either. */
async function recordDenials(ctx: UserCtx, errors: readonly GraphQLError[]): Promise<void> {
  for (const { originalError, path } of errors) {
    if (!(originalError instanceof Refusal && DENIALS.has(originalError.code))) continue
    const changes = { field: { to: path?.join('.') } }
    await recordAudit(ctx, { action: 'access.denied', outcome: 'denied', changes })
  }
}

const isPrepared = (made: Compiled): made is CompiledQuery => 'query' in made

function compileDocument(schema: GraphQLSchema, query: string, operationName?: string | null): Compiled {
  let document: DocumentNode
  try {
    document = parse(query, { maxTokens: MAX_TOKENS, noLocation: true })
    const errors = validate(schema, document)
    if (errors.length > 0) return { errors: errors.map(asRefused) }
    assertModestDocument(document)
  } catch (error) {
    return { errors: [asRefused(error)] }
  }
  if (getOperationAST(document, operationName)?.operation === 'subscription') {
    return { errors: [asRefused(new GraphQLError('subscriptions use the websocket'))] }
  }
  const made = compileQuery(schema, document, operationName ?? undefined, { customJSONSerializer: false })
  return isCompiledQuery(made) ? made : { errors: made.errors?.map(asRefused) ?? [] }
}

/** Without the suggestions of the library, which would tell the names of what was not asked. */
function asRefused(error: unknown): GraphQLError {
  const message = error instanceof Error ? error.message.replace(/ Did you mean .*$/s, '') : 'refused'
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}

const PERSON_MESSAGES = {
  UNAUTHENTICATED: 'Sesiunea a expirat. Autentifică-te din nou.',
  BAD_USER_INPUT: 'Cererea nu poate fi citită.',
  UNAVAILABLE: 'Serviciul nu răspunde pentru moment. Încearcă din nou peste câteva secunde.',
  INTERNAL_SERVER_ERROR: 'A apărut o eroare. Încearcă din nou.',
} as const

/** An answer without data, for what is refused before a query runs. */
export const failure = (code: keyof typeof PERSON_MESSAGES) => ({
  errors: [{ message: PERSON_MESSAGES[code], extensions: { code } }],
})

/** A Refusal keeps its code, its Romanian sentence and its fields; of a fault only the request's id is told. */
export function formatError(error: GraphQLError, parts: Pick<Parts, 'log'>, requestId: string) {
  const cause = error.originalError
  const path = error.path ? { path: error.path } : {}
  if (cause instanceof Refusal) {
    const fields = cause.fields.length > 0 ? { fields: cause.fields } : {}
    return { message: cause.personMessage, ...path, extensions: { code: cause.code, ...fields } }
  }
  if (!cause)
    return { message: error.message, ...path, extensions: { code: 'BAD_USER_INPUT', ...error.extensions } }
  if (isValueRefused(cause))
    return { message: PERSON_MESSAGES.BAD_USER_INPUT, ...path, extensions: { code: 'BAD_USER_INPUT' } }
  const code = isDatabaseAway(cause) ? 'UNAVAILABLE' : 'INTERNAL_SERVER_ERROR'
  parts.log.error('graphql: fault', { request: requestId, path: error.path?.join('.'), ...errorFacts(cause) })
  return { message: PERSON_MESSAGES[code], ...path, extensions: { code, errorId: requestId } }
}
