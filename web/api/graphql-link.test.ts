import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApolloClient, gql, InMemoryCache, NetworkStatus } from '@apollo/client'
import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors'
import { Defer20220824Handler } from '@apollo/client/incremental'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { errorCode, errorMessage, fieldErrors, isTemporary, toClientError } from './client-error.ts'
import { createGraphqlLink } from './graphql-link.ts'

const ME = gql`
  query Me {
    me {
      id
    }
  }
`
const ME_TEXT = 'query Me {\n  me {\n    id\n    __typename\n  }\n}'
const ME_HASH = createHash('sha256').update(ME_TEXT).digest('hex')
const DATA = { data: { me: { id: '1', __typename: 'Me' } } }
type ReceivedRequest = {
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
  method: string | undefined
}

/** Starts a server and returns a client of it with the requests that the server received. */
async function connect(
  respond: (response: ServerResponse, received: ReceivedRequest, count: number) => void,
  onUnauthorized = () => {},
) {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const entry = { headers: request.headers, body: JSON.parse(text), method: request.method }
    received.push(entry)
    respond(response, entry, received.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  const client = new ApolloClient({
    link: createGraphqlLink({ uri, identity: () => ({ 'x-api-key': 'dk_test' }), onUnauthorized }),
    cache: new InMemoryCache(),
    incrementalHandler: new Defer20220824Handler(),
  })
  const query = () => client.query({ query: ME, fetchPolicy: 'no-cache' })
  const failure = () =>
    query().then(
      () => null,
      (error: unknown) => error,
    )
  return { client, query, failure, received }
}

const send =
  (status: number, body: unknown, type = 'application/json') =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': type })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

describe('a GraphQL request', () => {
  it('is a POST of JSON with operationName, variables, query, and the hash of the query in extensions [7.8]', async () => {
    const { query, received } = await connect(send(200, DATA))
    expect((await query()).data).toEqual(DATA.data)
    expect((await query()).data).toEqual(DATA.data)
    expect(received).toHaveLength(2)
    for (const { method, headers, body } of received) {
      expect(method).toBe('POST')
      expect(headers['content-type']).toBe('application/json')
      expect(headers.accept).toContain('application/json')
      expect(headers['x-api-key']).toBe('dk_test')
      expect(body).toEqual({
        operationName: 'Me',
        variables: {},
        query: ME_TEXT,
        extensions: { persistedQuery: { version: 1, sha256Hash: ME_HASH } },
      })
    }
  })

  it('has no hash where the browser offers no SHA-256, on a page without TLS [7.8]', async () => {
    vi.stubGlobal('crypto', {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const { query, received } = await connect(send(200, DATA))
    await query()
    expect(received.map(({ body }) => body)).toEqual([{ operationName: 'Me', variables: {}, query: ME_TEXT }])
  })
})

describe('a response that does not end', () => {
  it.each([
    ['does not begin', () => {}],
    ['stops in the middle', (response: ServerResponse) => void response.write('{"data":')],
  ])('ends the request after 30 s with a sentence if it %s', async (_how, respond) => {
    const { failure, received } = await connect(respond)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failed = failure()
    await vi.waitFor(() => expect(received).toHaveLength(1))
    vi.advanceTimersByTime(30_000)
    expect(errorMessage(await failed)).toBe('Serverul nu a răspuns. Poate lipsi conexiunea la rețea.')
  })
})

describe('a failed request', () => {
  it.each([
    [408, true],
    [429, true],
    [500, true],
    [503, true],
    [400, false],
    [401, false],
    [403, false],
    [413, false],
  ])('with status %i may succeed when it is repeated: %s', async (status, expected) => {
    const { failure } = await connect(send(status, {}))
    expect(isTemporary(await failure())).toBe(expected)
  })

  it('may succeed when it is repeated if there was no response', async () => {
    const { failure } = await connect((response) => void response.destroy())
    expect(isTemporary(await failure())).toBe(true)
  })

  it('does not succeed when it is repeated if the server rejected it, or sent no data', async () => {
    const rejected = await connect(
      send(200, { errors: [{ message: 'x', extensions: { code: 'CONFLICT' } }] }),
    )
    const empty = await connect(send(200, {}))
    const html = await connect(send(200, '<html></html>'))
    const errors = [
      await rejected.failure(),
      await empty.failure(),
      await html.failure(),
      new Error('no data'),
    ]
    expect(errors.map(isTemporary)).toEqual([false, false, false, false])
  })
})

describe('an invalid response', () => {
  it.each([300, 400, 403, 404, 429, 500, 502, 503])(
    'with status %i is a network error that names the status [8.7]',
    async (status) => {
      const { failure } = await connect(send(status, { errors: [{ message: 'x' }] }))
      const error = await failure()
      expect(error).toBeInstanceOf(ServerError)
      expect((error as Error).message).toBe(`Response not successful: Received status code ${status}`)
      expect(toClientError(error)).toEqual({
        graphQLErrors: [],
        networkError: error,
        protocolErrors: [],
        clientErrors: [],
      })
      expect(errorMessage(error)).toMatch(/nouă încercare|reîncărcată/)
      expect(errorCode(error)).toBeUndefined()
    },
  )

  it.each([{}, { extensions: {} }, { result: 1 }])(
    'with neither data nor errors is called missing: %o [8.8]',
    async (body) => {
      const { failure } = await connect(send(200, body))
      const error = await failure()
      expect((error as Error).message).toBe("Server response was missing for query 'Me'.")
      expect(toClientError(error).networkError).toBe(error)
    },
  )

  it.each(['', '<html>', '{"data":'])('that cannot be parsed is a parse error: %j [8.9]', async (body) => {
    const { failure } = await connect(send(200, body))
    const error = await failure()
    expect(error).toBeInstanceOf(ServerParseError)
    expect(toClientError(error).networkError).toBe(error)
    expect(errorMessage(error)).toBe('A apărut o eroare. O nouă încercare poate reuși.')
  })

  it('because of a closed connection is a network error [8.13]', async () => {
    const { failure } = await connect((response) => response.destroy())
    const error = await failure()
    expect(toClientError(error)).toMatchObject({ graphQLErrors: [], networkError: error, clientErrors: [] })
    expect(errorMessage(error)).toBe('Serverul nu a răspuns. Poate lipsi conexiunea la rețea.')
  })
})

describe('an error', () => {
  const errorResponse = {
    data: null,
    errors: [
      {
        message: 'Numele este necesar.',
        extensions: { code: 'BAD_USER_INPUT', fields: [{ field: 'name', message: 'Numele este necesar.' }] },
      },
    ],
  }

  it('of the server has its sentence, code and fields [8.13]', async () => {
    const { failure } = await connect(send(200, errorResponse))
    const error = await failure()
    expect(error).toBeInstanceOf(CombinedGraphQLErrors)
    expect(toClientError(error)).toEqual({
      graphQLErrors: errorResponse.errors,
      networkError: null,
      protocolErrors: [],
      clientErrors: [],
    })
    expect(errorMessage(error)).toBe('Numele este necesar.')
    expect(errorCode(error)).toBe('BAD_USER_INPUT')
    expect(fieldErrors(error)).toEqual({ name: 'Numele este necesar.' })
  })

  it('thrown by the page itself is a client error [8.13]', () => {
    const error = new TypeError('x is not a function')
    expect(toClientError(error).clientErrors).toEqual([error])
    expect(toClientError('text').clientErrors).toEqual([new Error('text')])
    expect(errorMessage(error)).toBe('A apărut o eroare. O nouă încercare poate reuși.')
  })

  it.each([
    [401, 1],
    [403, 0],
    [400, 0],
    [500, 0],
  ])('with status %i signs out %i times [4.3]', async (status, times) => {
    const onUnauthorized = vi.fn()
    const { failure } = await connect(send(status, {}), onUnauthorized)
    await failure()
    expect(onUnauthorized).toHaveBeenCalledTimes(times)
  })

  it('inside a GraphQL response does not sign out [4.3]', async () => {
    const onUnauthorized = vi.fn()
    const errors = [{ message: 'Nu ai dreptul.', extensions: { code: 'FORBIDDEN' } }]
    const { failure } = await connect(send(200, { data: null, errors }), onUnauthorized)
    expect(errorCode(await failure())).toBe('FORBIDDEN')
    expect(onUnauthorized).not.toHaveBeenCalled()
  })
})

describe('an incremental response', () => {
  it('is requested, and each incremental result is shown when it arrives [7.8]', async () => {
    const chunk = (body: object) => `\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(body)}\r\n---`
    let sendRest = () => {}
    const { client, received } = await connect((response) => {
      response.writeHead(200, { 'content-type': 'multipart/mixed; boundary="-"; deferSpec=20220824' })
      const me = { id: '1', __typename: 'Me' }
      response.write(`\r\n---${chunk({ data: { me }, hasNext: true })}`)
      sendRest = () => {
        const incremental = [{ data: { role: 'staff', __typename: 'Me' }, path: ['me'] }]
        response.end(`${chunk({ incremental, hasNext: false })}--\r\n`)
      }
    })
    const query = gql`
      query MeInParts {
        me {
          id
          ... @defer {
            role
          }
        }
      }
    `
    const results: { data: unknown; networkStatus: NetworkStatus }[] = []
    const watched = client.watchQuery({ query, notifyOnNetworkStatusChange: true })
    const subscription = watched.subscribe(({ data, networkStatus }) => results.push({ data, networkStatus }))
    onTestFinished(() => subscription.unsubscribe())
    await vi.waitFor(() =>
      expect(results.at(-1)).toEqual({
        data: { me: { id: '1', __typename: 'Me' } },
        networkStatus: NetworkStatus.streaming,
      }),
    )
    sendRest()
    await vi.waitFor(() =>
      expect(results.at(-1)).toEqual({
        data: { me: { id: '1', role: 'staff', __typename: 'Me' } },
        networkStatus: NetworkStatus.ready,
      }),
    )
    expect(received[0]?.headers.accept).toMatch(/^multipart\/mixed;deferSpec=20220824,/)
  })
})

it('extensions of the context are sent beside the hash, and those of each response arrive [7.8] [7.11]', async () => {
  const { client, received } = await connect((response, _request, count) =>
    response.end(JSON.stringify({ ...DATA, extensions: { count } })),
  )
  const seen: unknown[] = []
  const query = (extensions?: Record<string, unknown>) =>
    client.query({
      query: ME,
      fetchPolicy: 'no-cache',
      context: {
        queryDeduplication: false,
        ...(extensions && { extensions }),
        onExtensions: (extensions) => void seen.push(extensions.count),
      },
    })
  await Promise.all([query({ categories: { version: 3 } }), query()])
  expect(seen.toSorted()).toEqual([1, 2])
  expect(received.map(({ body }) => body.extensions)).toEqual(
    expect.arrayContaining([
      { categories: { version: 3 }, persistedQuery: { version: 1, sha256Hash: ME_HASH } },
      { persistedQuery: { version: 1, sha256Hash: ME_HASH } },
    ]),
  )
})
