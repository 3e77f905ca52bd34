import type { GraphQLError, GraphQLSchema } from 'graphql'
import { type Context, Hono } from 'hono'
import { LIMITS } from '../../../shared/limits.ts'
import { createContext, type PublicActor } from '../../context.ts'
import { recordUse } from '../../features/accounts/sessions/record-use.ts'
import type { ClientCtx } from '../../graphql/builder.ts'
import { createTokenBuckets } from '../../platform/token-buckets.ts'
import type { Services } from '../../services.ts'
import { authenticateApiClient } from '../auth/authenticate.ts'
import { networkOf } from '../middleware/client-address.ts'
import { RETRY_AFTER_SECONDS } from '../middleware/error-handler.ts'
import { recordDenials } from '../middleware/record-denials.ts'
import { shareCookiesOf } from '../shares/share-cookie.ts'
import { toReadableStream } from '../stream-body.ts'
import type { Env } from '../types.ts'
import { createDocuments } from './graphql-documents.ts'
import { failure, formatError } from './graphql-errors.ts'
import { type GraphqlRequest, readGraphqlRequest } from './graphql-request.ts'
import { executeIncrementalPart, requestedParts } from './incremental-documents.ts'
import { acceptsMultipart, MULTIPART_TYPE, writeIncrementalResponse } from './incremental-response.ts'
import type { Operations } from './operations.ts'

/**
 * Serves GraphQL by POST with JSON [7.8], for a user's id_token or a program's API key [6.5]. `operations`
 * are the product's own documents, which a client may request by hash; the text beside a known hash is not read.
 */
export function graphqlRoutes(services: Services, schema: GraphQLSchema, operations: Operations): Hono<Env> {
  const documents = createDocuments(schema, services.config.production, operations)

  const takeFromBucket = createKeyLimits()

  const find = ({ query, hash, operationName }: GraphqlRequest, isKey: boolean) => {
    const own = hash === null ? null : documents.findByHash(hash)
    if (own) return own
    if (query !== null) return documents.findByText(query, operationName, isKey)
    return { errors: [unknownHash(operations)] }
  }
  const isOwn = ({ query, hash }: GraphqlRequest) =>
    query === null || documents.isOwn(query) || (hash !== null && operations.has(hash))

  const routes = new Hono<Env>()
  routes.post('/', async (c) => {
    c.header('cache-control', 'no-store')
    const actor = await authenticateApiClient(services, c)
    if (!actor) return c.json(failure(401), 401)
    const waitSeconds = actor.kind === 'public' ? takeFromBucket(actor, c.get('requestOrigin').ip) : 0
    if (waitSeconds > 0) {
      c.header('retry-after', String(waitSeconds))
      return c.json(failure(429), 429)
    }
    const request = await readGraphqlRequest(c)
    if ('rejectedWith' in request) return c.json(failure(request.rejectedWith), request.rejectedWith)
    if (actor.kind === 'user' && request.extensions.reportsUse !== true)
      await recordUse(services.db, actor, new Date())
    // In development there is no list of the pages' documents.
    if (actor.kind === 'public' && actor.ofPages && operations.size > 0 && !isOwn(request))
      return c.json(OTHER_DOCUMENT, 400)
    const found = find(request, actor.kind === 'public')
    if ('errors' in found) return c.json({ errors: found.errors }, request.query === null ? 200 : 400)
    const extensions = { request: request.extensions, response: {} }
    const context = {
      ...createContext(services, actor, c.get('requestOrigin')),
      extensions,
      shareCookies: shareCookiesOf(c),
    }
    const { variables } = request
    const inParts = acceptsMultipart(c.req.header('accept')) ? found.inParts() : null
    const deferred = inParts ? requestedParts(schema, inParts, variables) : []
    if (!inParts || deferred.length === 0)
      return sendResult(c, services, await found.run(undefined, context, variables), context)
    const first = await inParts.first(undefined, context, variables)
    // A root field that is null has no deferred fragments.
    const later = deferred.filter(({ key }) => first.data?.[key])
    if (later.length === 0) return sendResult(c, services, first, context)
    const running = later.map((part) => executeIncrementalPart(part, context, variables))
    return sendIncrementalResult(c, services, first, running, context)
  })
  return routes
}

/**
 * The response to another document than those of the pages, sent with the key that every page has. Its status is
 * 400, at which a page of an earlier build asks the user to reload it.
 */
const OTHER_DOCUMENT = {
  errors: [
    {
      message: 'Cheia paginilor publice deschide numai interogările acestor pagini.',
      extensions: { code: 'FORBIDDEN' },
    },
  ],
}

/** Limits requests with a key: each issued key by itself, and the key that every page has by network. */
function createKeyLimits() {
  const ofNetworks = createTokenBuckets(LIMITS.pageKeyRequestsPerMinute)
  const ofKeys = createTokenBuckets(LIMITS.issuedKeyRequestsPerMinute)
  return ({ keyId, ofPages }: PublicActor, ip: string | null): number =>
    ofPages ? ofNetworks.take(ip === null ? '' : networkOf(ip), Date.now()) : ofKeys.take(keyId, Date.now())
}

/**
 * Returns the error after which Apollo's client repeats the request with the document's text. Without a list
 * of documents on this server, the client sends the text with all later requests too.
 */
const unknownHash = ({ size }: Operations) =>
  size > 0
    ? { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }
    : { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }

type Result = { data?: unknown; errors?: readonly GraphQLError[] }

async function sendResult(c: Context<Env>, services: Services, result: Result, context: ClientCtx) {
  if (!result.errors) return c.json(withExtensions(result, context))
  const errors = await logErrors(result.errors, services, context)
  const isUnavailable = errors.some((error) => error.extensions.code === 'UNAVAILABLE')
  if (isUnavailable) c.header('retry-after', RETRY_AFTER_SECONDS)
  return c.json(withExtensions({ ...result, errors }, context), isUnavailable ? 503 : 200)
}

function withExtensions<R extends object>(result: R, { extensions }: ClientCtx): R {
  const { response = {} } = extensions ?? {}
  return Object.keys(response).length > 0 ? { ...result, extensions: response } : result
}

/**
 * Sends the first result and then the incremental results in `running`. Those have started already, with the
 * permissions that the client has now and not with those at the time of reading.
 */
async function sendIncrementalResult(
  c: Context<Env>,
  services: Services,
  first: Result,
  running: readonly Promise<Result>[],
  context: ClientCtx,
) {
  const withLoggedErrors = async (result: Result) =>
    result.errors ? { ...result, errors: await logErrors(result.errors, services, context) } : result
  const later = running.map(async (result) => withLoggedErrors(await result))
  // If the client leaves, nothing awaits these promises: without a handler a rejection would end the process.
  for (const part of later) part.catch(() => undefined)
  c.header('content-type', MULTIPART_TYPE)
  // A proxy that buffers the response would make all results arrive at once.
  c.header('x-accel-buffering', 'no')
  const chunks = writeIncrementalResponse(withExtensions(await withLoggedErrors(first), context), later)
  return c.body(await toReadableStream(context, chunks))
}

/**
 * Logs the errors and returns them as the client gets them; denied access is in the audit log before the
 * client gets it.
 */
async function logErrors(errors: readonly GraphQLError[], services: Services, context: ClientCtx) {
  await recordDenials(
    context,
    errors.map(({ originalError }) => originalError),
  )
  return errors.map((error) => formatError(error, services, context.request.id))
}
