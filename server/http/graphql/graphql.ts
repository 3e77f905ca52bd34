import type { GraphQLError, GraphQLSchema } from 'graphql'
import { type Context, Hono } from 'hono'
import { createContext } from '../../context.ts'
import { UserError } from '../../errors.ts'
import { recordAudit } from '../../features/audit/record-audit.ts'
import type { ClientCtx } from '../../graphql/builder.ts'
import type { Services } from '../../services.ts'
import { authenticateApiClient } from '../auth/authenticate.ts'
import { toReadableStream } from '../stream-body.ts'
import type { Env } from '../types.ts'
import { createDocuments } from './graphql-documents.ts'
import { failure, formatError } from './graphql-errors.ts'
import { type GraphqlRequest, readGraphqlRequest } from './graphql-request.ts'
import { executeIncrementalPart, requestedParts } from './incremental-documents.ts'
import { acceptsMultipart, MULTIPART_TYPE, writeIncrementalResponse } from './incremental-response.ts'
import { type Operations, readOperations } from './operations.ts'

/**
 * GraphQL over POST and JSON [7.8], for a person's id_token or a program's API key [6.5]. `operations` are the product's
 * own documents, which may be named by their hash alone.
 */
export function graphqlRoutes(
  services: Services,
  schema: GraphQLSchema,
  operations: Operations = readOperations(),
): Hono<Env> {
  const documents = createDocuments(schema, services.config.production, operations)

  const find = ({ query, hash, operationName }: GraphqlRequest) => {
    if (query !== null) return documents.findByText(query, operationName)
    return documents.findByHash(hash ?? '') ?? { errors: [unknownHash(operations)] }
  }

  const routes = new Hono<Env>()
  routes.post('/', async (c) => {
    c.header('cache-control', 'no-store')
    const actor = await authenticateApiClient(services, c)
    if (!actor) return c.json(failure('UNAUTHENTICATED'), 401)
    const request = await readGraphqlRequest(c)
    if ('refused' in request) return c.json(failure('BAD_USER_INPUT'), request.refused)
    const found = find(request)
    if ('errors' in found) return c.json({ errors: found.errors }, request.query === null ? 200 : 400)
    const context = createContext(services, actor, c.get('requestInfo'))
    const { variables } = request
    const inParts = acceptsMultipart(c.req.header('accept')) ? found.inParts() : null
    const wanted = inParts ? requestedParts(schema, inParts, variables) : []
    if (!inParts || wanted.length === 0)
      return sendResult(c, services, await found.run(undefined, context, variables), context)
    const first = await inParts.first(undefined, context, variables)
    // Nothing is left for later of what is not there.
    const later = wanted.filter(({ key }) => first.data?.[key])
    if (later.length === 0) return sendResult(c, services, first, context)
    const running = later.map((part) => executeIncrementalPart(part, context, variables))
    return sendIncrementalResult(c, services, first, running, context)
  })
  return routes
}

/** In the words that Apollo's client knows: then it sends the document whole, this time or from now on. */
const unknownHash = ({ size }: Operations) =>
  size > 0
    ? { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }
    : { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }

type Result = { data?: unknown; errors?: readonly GraphQLError[] }

async function sendResult(c: Context<Env>, services: Services, result: Result, context: ClientCtx) {
  if (!result.errors) return c.json(result)
  const errors = await logErrors(result.errors, services, context)
  const away = errors.some((error) => error.extensions.code === 'UNAVAILABLE')
  if (away) c.header('retry-after', '2')
  return c.json({ ...result, errors }, away ? 503 : 200)
}

/** `running`: the later parts, under way as the reader's rights are now and not as they are when they read on. */
async function sendIncrementalResult(
  c: Context<Env>,
  services: Services,
  first: Result,
  running: readonly Promise<Result>[],
  context: ClientCtx,
) {
  const told = async (result: Result) =>
    result.errors ? { ...result, errors: await logErrors(result.errors, services, context) } : result
  const later = running.map(async (result) => told(await result))
  // Where the reader leaves, nobody waits for them.
  for (const part of later) part.catch(() => undefined)
  c.header('content-type', MULTIPART_TYPE)
  // A proxy that gathers the parts would undo what they are for.
  c.header('x-accel-buffering', 'no')
  return c.body(await toReadableStream(context, writeIncrementalResponse(await told(first), later)))
}

/** What is told of the errors; who tried to reach what they may not is in the journal before they read so. */
async function logErrors(errors: readonly GraphQLError[], services: Services, context: ClientCtx) {
  await recordDenials(context, errors)
  return errors.map((error) => formatError(error, services, context.request.id))
}

/**
 * One row, in words of ours: names that the client has given its fields stay out of the journal. Which of the two it was,
 * forbidden or not there, the journal does not tell either.
 */
async function recordDenials(ctx: ClientCtx, errors: readonly GraphQLError[]): Promise<void> {
  const denied = errors.flatMap(({ originalError }) =>
    originalError instanceof UserError && originalError.denied !== null ? [originalError.denied] : [],
  )
  if (denied.length === 0) return
  const changes = { field: { to: [...new Set(denied)].join(', ') } }
  await recordAudit(ctx, { action: 'access.denied', outcome: 'denied', changes })
}
