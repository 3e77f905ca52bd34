import { DEMO_PASSWORD } from './accounts.ts'

/**
 * A program that knows only the specified calls: plain HTTP and a jar for cookies. It follows no redirect and, being no
 * browser, says neither Origin nor Sec-Fetch-Site.
 */
export type Outsider = {
  /** What a browser would keep, by name. */
  cookies: Map<string, string>
  /** Every Set-Cookie line that it was sent, in order. */
  setCookies: string[]
  send(path: string, init?: RequestInit): Promise<Response>
  /** The JSON of an answer, whatever its status. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the answer as it comes and asserts what it finds
  json(path: string, init?: RequestInit): Promise<any>
  /** Sends a form of the sign-in protocol with a fresh CSRF token, exactly these fields beside it. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  /** The same, asking for JSON; answers the address in it. */
  postForUrl(path: string, fields?: Record<string, string>): Promise<URL>
  /** Signs in with a password; rejects where that does not do. */
  signIn(email: string, password?: string): Promise<void>
  /** An id_token of the session. */
  token(): Promise<string>
  /** Asks GraphQL with the token of the session; `headers` may say otherwise. */
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
