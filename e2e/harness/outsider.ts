import { DEMO_PASSWORD } from './accounts.ts'

/**
 * A program that uses only the specified calls: plain HTTP and a cookie jar. It follows no redirect and, unlike a browser,
 * sends neither Origin nor Sec-Fetch-Site.
 */
export type Outsider = {
  /** The cookies that a browser would keep, by name. */
  cookies: Map<string, string>
  /** Every received Set-Cookie line, in order. */
  setCookies: string[]
  send(path: string, init?: RequestInit): Promise<Response>
  /** Returns the JSON of a response with any status. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response and asserts its shape
  json(path: string, init?: RequestInit): Promise<any>
  /** Sends a form of the sign-in protocol with a new CSRF token and exactly these fields. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  /** Sends a form as `post` does and requests JSON; returns the address in the response. */
  postForUrl(path: string, fields?: Record<string, string>): Promise<URL>
  /** Signs in with a password; rejects where the sign-in fails. */
  signIn(email: string, password?: string): Promise<void>
  /** Returns an id_token of the session. */
  token(): Promise<string>
  /** Sends a GraphQL operation with the token of the session, unless `headers` has another. */
  graphql(body: unknown, headers?: Record<string, string>): Promise<Response>
}

export function createOutsider(origin: string): Outsider {
  const cookies = new Map<string, string>()
  const setCookies: string[] = []
  const send: Outsider['send'] = async (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const response = await fetch(new URL(path, origin), { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      setCookies.push(line)
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0(;|$)/i.test(line)) cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    return response
  }
  const json: Outsider['json'] = async (path, init) => (await send(path, init)).json()
  const post: Outsider['post'] = async (path, fields = {}, headers = {}) => {
    const { csrfToken } = await json('/api/auth/csrf')
    return send(`/api/auth/${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ csrfToken, ...fields }),
    })
  }
  const postForUrl: Outsider['postForUrl'] = async (path, fields) => {
    const { url } = (await (await post(path, { ...fields, json: 'true' })).json()) as { url: string }
    return new URL(url)
  }
  const token = async (): Promise<string> => (await json('/api/token')).id_token
  return {
    cookies,
    setCookies,
    send,
    json,
    post,
    postForUrl,
    token,
    signIn: async (email, password = DEMO_PASSWORD) => {
      const url = await postForUrl('callback/local', { email, password })
      if (url.searchParams.has('error')) throw new Error(`${email} cannot sign in: ${url}`)
    },
    graphql: async (body, headers) =>
      send('/graphql', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(headers ?? { authorization: `Bearer ${await token()}` }),
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}
