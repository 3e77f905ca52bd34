import type { GraphQLError, GraphQLSchema } from 'graphql'
import { type Context, Hono } from 'hono'
import { createContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { recordAudit } from '../features/audit/record-audit.ts'
import type { ClientCtx } from '../graphql/builder.ts'
import type { Parts } from '../parts.ts'
import { findClient } from './actors.ts'
import { toBody } from './body-of-pieces.ts'
import { runLaterPart, wantedParts } from './deferred-parts.ts'
import { createDocuments } from './graphql-documents.ts'
import { failure, formatError } from './graphql-errors.ts'
import { acceptsParts, PARTS_TYPE, writeParts } from './graphql-parts.ts'
import { type GraphqlRequest, readGraphqlRequest } from './graphql-request.ts'
import { type Operations, readOperations } from './operations.ts'
import type { Env } from './types.ts'

/**
 * GraphQL over POST and JSON [7.8], for a person's id_token or a program's API key [6.5]. `operations` are the product's
 * own documents, which may be named by their hash alone.
 */
export function createGraphqlDoor(
  parts: Parts,
  schema: GraphQLSchema,
  operations: Operations = readOperations(),
): Hono<Env> {
  const documents = createDocuments(schema, parts.config.production, operations)

  const find = ({ query, hash, operationName }: GraphqlRequest) => {
    if (query !== null) return documents.findByText(query, operationName)
    return documents.findByHash(hash ?? '') ?? { errors: [unknownHash(operations)] }
  }

  const door = new Hono<Env>()
  door.post('/', async (c) => {
    c.header('cache-control', 'no-store')
    const actor = await findClient(parts, c)
    if (!actor) return c.json(failure('UNAUTHENTICATED'), 401)
    const request = await readGraphqlRequest(c)
    if ('refused' in request) return c.json(failure('BAD_USER_INPUT'), request.refused)
    const found = find(request)
    if ('errors' in found) return c.json({ errors: found.errors }, request.query === null ? 200 : 400)
    const context = createContext(parts, actor, c.get('facts'))
    const { variables } = request
    const inParts = acceptsParts(c.req.header('accept')) ? found.inParts() : null
    const wanted = inParts ? wantedParts(schema, inParts, variables) : []
    if (!inParts || wanted.length === 0)
      return answerAtOnce(c, parts, await found.run(undefined, context, variables), context)
    const first = await inParts.first(undefined, context, variables)
    // Nothing is left for later of what is not there.
    const later = wanted.filter(({ key }) => first.data?.[key])
    if (later.length === 0) return answerAtOnce(c, parts, first, context)
    const running = later.map((part) => runLaterPart(part, context, variables))
    return answerInParts(c, parts, first, running, context)
  })
  return door
}

/** In the words that Apollo's client knows: then it sends the document whole, this time or from now on. */
const unknownHash = ({ size }: Operations) =>
  size > 0
    ? { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }
    : { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }

type Result = { data?: unknown; errors?: readonly GraphQLError[] }

async function answerAtOnce(c: Context<Env>, parts: Parts, result: Result, context: ClientCtx) {
  if (!result.errors) return c.json(result)
  const errors = await tellErrors(result.errors, parts, context)
  const away = errors.some((error) => error.extensions.code === 'UNAVAILABLE')
  if (away) c.header('retry-after', '2')
  return c.json({ ...result, errors }, away ? 503 : 200)
}

/** `running`: the later parts, under way as the reader's rights are now and not as they are when they read on. */
async function answerInParts(
  c: Context<Env>,
  parts: Parts,
  first: Result,
  running: readonly Promise<Result>[],
  context: ClientCtx,
) {
  const told = async (result: Result) =>
    result.errors ? { ...result, errors: await tellErrors(result.errors, parts, context) } : result
  const later = running.map(async (result) => told(await result))
  // Where the reader leaves, nobody waits for them.
  for (const part of later) part.catch(() => undefined)
  c.header('content-type', PARTS_TYPE)
  // A proxy that gathers the parts would undo what they are for.
  c.header('x-accel-buffering', 'no')
  return c.body(await toBody(context, writeParts(await told(first), later)))
}

/** What is told of the errors; who tried to reach what they may not is in the journal before they read so. */
async function tellErrors(errors: readonly GraphQLError[], parts: Parts, context: ClientCtx) {
  await recordDenials(context, errors)
  return errors.map((error) => formatError(error, parts, context.request.id))
}

/**
 * One row, in words of ours: names that the client has given its fields stay out of the journal. Which of the two it was,
 * forbidden or not there, the journal does not tell either.
 */
async function recordDenials(ctx: ClientCtx, errors: readonly GraphQLError[]): Promise<void> {
  const denied = errors.flatMap(({ originalError }) =>
    originalError instanceof Refusal && originalError.denied !== null ? [originalError.denied] : [],
  )
  if (denied.length === 0) return
  const changes = { field: { to: [...new Set(denied)].join(', ') } }
  await recordAudit(ctx, { action: 'access.denied', outcome: 'denied', changes })
}
