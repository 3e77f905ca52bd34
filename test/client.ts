import type { Hono } from 'hono'
import type { Env } from '../server/http/types.ts'
import type { TokenAudience } from '../shared/token-audiences.ts'
import { TEST_PASSWORD } from './users.ts'

export type SignInResponse = { response: Response; url: URL; cookies: string[] }

export type GraphqlResponse = {
  status: number
  retryAfter: string | null
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response and asserts its shape
  data: any
  errors: { message: string; extensions: { code: string; fields?: { field: string; message: string }[] } }[]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  extensions: any
}

const LOCAL = 'http://localhost:3000'

export type TestClient = {
  /** The cookies that a browser would keep, by name. */
  cookies: Map<string, string>
  /** Every received Set-Cookie line, in order. */
  setCookies: string[]
  /** The `Cookie` header of the next request. */
  readonly cookie: string
  /** Sends a request with the cookies, unless its headers have others; `path` can also be a whole address. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Returns the JSON of a response with any status. */
  json(path: string): Promise<GraphqlResponse['data']>
  /** Posts the form with a new CSRF token and `json=true`; fields of the form replace both, null leaves one out. */
  post(
    path: string,
    form?: Record<string, string | null>,
    headers?: Record<string, string>,
  ): Promise<SignInResponse>
  signIn(email: string, password?: string): Promise<SignInResponse>
  /** Returns the `Authorization` header of the session, for GraphQL unless named otherwise. */
  authorization(audience?: TokenAudience): Promise<string>
  /** Sends this body to the GraphQL endpoint; the default header is the session's `Authorization`. */
  postGraphql(body: unknown, headers?: Record<string, string>): Promise<Response>
  /** Returns the response, also with errors; throws where the server cannot be reached. */
  graphql(
    query: string,
    variables?: Record<string, unknown>,
    extensions?: Record<string, unknown>,
  ): Promise<GraphqlResponse>
  /** Returns the data of the response; throws where it has errors. */
  runQuery(query: string, variables?: Record<string, unknown>): Promise<GraphqlResponse['data']>
}

/**
 * Creates a program with a cookie jar for a server in this process or at an address. It uses only the specified
 * calls, follows no redirect and, unlike a browser, sends neither Origin nor Sec-Fetch-Site.
 */
export function createTestClient(
  server: string | { app: Pick<Hono<Env>, 'request'> },
  options: { origin?: string; cookies?: Iterable<[string, string]> } = {},
): TestClient {
  const [send, url] = typeof server === 'string' ? [fetch, server] : [server.app.request, LOCAL]
  const origin = options.origin ?? url
  const cookies = new Map(options.cookies)
  const setCookies: string[] = []
  const joinCookies = () => [...cookies].map((pair) => pair.join('=')).join('; ')
  const request: TestClient['fetch'] = async (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', joinCookies())
    const address = /^https?:/.test(path) ? path : `${origin}${path}`
    const response = await send(address, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      setCookies.push(line)
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0(;|$)/i.test(line)) cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    return response
  }
  const get: TestClient['get'] = (path, headers = {}) => request(path, { headers })
  const json: TestClient['json'] = async (path) => (await request(path)).json()
  const post: TestClient['post'] = async (path, form = {}, headers = {}) => {
    const { csrfToken } = await json('/api/auth/csrf')
    const fields = Object.entries({ csrfToken, json: 'true', ...form }).filter(([, value]) => value !== null)
    const response = await request(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
    const target = response.headers.get('content-type')?.includes('json')
      ? ((await response.clone().json()) as { url?: string }).url
      : response.headers.get('location')
    return { response, url: new URL(target ?? '', origin), cookies: response.headers.getSetCookie() }
  }
  const bearerOf = async (token: Response) =>
    `Bearer ${((await token.json()) as { id_token: string }).id_token}`
  const authorization: TestClient['authorization'] = async (audience = 'graphql') =>
    bearerOf(await request(`/api/token?audience=${audience}`))
  const postGraphql: TestClient['postGraphql'] = async (body, headers) =>
    request('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(headers ?? { authorization: await authorization() }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const graphql: TestClient['graphql'] = async (query, variables, extensions) => {
    const token = await request('/api/token')
    // An unavailable server rejects this request already.
    const response = token.ok
      ? await postGraphql({ query, variables, extensions }, { authorization: await bearerOf(token) })
      : token
    const body = (await response.json()) as Partial<GraphqlResponse>
    const { data, errors = [], extensions: received = {} } = body
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, data, errors, extensions: received }
  }
  return {
    cookies,
    setCookies,
    get cookie() {
      return joinCookies()
    },
    fetch: request,
    get,
    json,
    post,
    signIn: (email, password = TEST_PASSWORD) => post('/api/auth/callback/local', { email, password }),
    authorization,
    postGraphql,
    graphql,
    runQuery: async (query, variables) => {
      const { status, data, errors } = await graphql(query, variables)
      if (status !== 200 || errors.length > 0)
        throw new Error(`GraphQL responded ${status} ${JSON.stringify(errors)}`)
      return data
    },
  }
}
