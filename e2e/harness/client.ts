import { DEMO_PASSWORD } from './accounts.ts'

export type GraphqlResponse = {
  status: number
  retryAfter: string | null
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response and asserts its shape
  data: any
  errors: { message: string; extensions: { code: string } }[]
}

/** A signed-in program: it has a cookie and sends requests to any route. */
export type Client = {
  cookie: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Returns the response, also with errors; throws where the server cannot be reached. */
  graphql(query: string, variables?: Record<string, unknown>): Promise<GraphqlResponse>
  /** Returns the data of the response; throws where it has errors. */
  runQuery(query: string, variables?: Record<string, unknown>): Promise<GraphqlResponse['data']>
}

/** Signs in with the specified calls [7.2][7.4]. */
export async function signInClient(url: string, email: string, password = DEMO_PASSWORD): Promise<Client> {
  const cookies = new Map<string, string>()
  const jar = () => [...cookies].map((pair) => pair.join('=')).join('; ')
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}/api/auth/${path}`, { ...init, headers: { cookie: jar() } })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    return (await response.json()) as Record<string, string>
  }
  const { csrfToken } = await call('csrf')
  const form = new URLSearchParams({ csrfToken: csrfToken!, json: 'true', email, password })
  const { url: landing } = await call('callback/local', { method: 'POST', body: form })
  if (!landing || landing.includes('error=')) throw new Error(`${email} cannot sign in: ${landing}`)
  return createClient(url, jar())
}

function createClient(url: string, cookie: string): Client {
  let token: { id_token: string; expires_at: number } | null = null
  const send: Client['fetch'] = (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('cookie', cookie)
    return fetch(`${url}${path}`, { ...init, headers })
  }
  const graphql: Client['graphql'] = async (query, variables) => {
    if (!token || token.expires_at * 1000 < Date.now() + 60_000) {
      const response = await send('/api/token')
      if (!response.ok) return readResponse(response)
      token = (await response.json()) as typeof token
    }
    const response = await send('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${token?.id_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return readResponse(response)
  }
  return {
    cookie,
    fetch: send,
    graphql,
    runQuery: async (query, variables) => {
      const { status, data, errors } = await graphql(query, variables)
      if (status !== 200 || errors.length > 0)
        throw new Error(`GraphQL responded ${status} ${JSON.stringify(errors)}`)
      return data
    },
  }
}

async function readResponse(response: Response): Promise<GraphqlResponse> {
  const { data = null, errors = [] } = (await response.json()) as Partial<GraphqlResponse>
  return { status: response.status, retryAfter: response.headers.get('retry-after'), data, errors }
}
