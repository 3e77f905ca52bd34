import type { TestServer } from './test-server.ts'
import { TEST_PASSWORD } from './users.ts'

export type SignInResponse = { response: Response; url: URL; cookies: string[] }

/**
 * A program with a cookie jar that uses only the specified calls: the CSRF token, then a form. It sends neither Origin nor
 * Sec-Fetch-Site.
 */
export type Visitor = {
  cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Posts the form with a new CSRF token and `json=true`; fields of the form replace both. */
  post(path: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<SignInResponse>
  signIn(email: string, password?: string): Promise<SignInResponse>
}

export function createVisitor({ app }: Pick<TestServer, 'app'>, origin = 'http://localhost:3000'): Visitor {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (jar && !headers.has('cookie')) headers.set('cookie', jar)
    const response = await app.request(`${origin}${path}`, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0(;|$)/i.test(line)) cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    return response
  }
  const get: Visitor['get'] = (path, headers = {}) => send(path, { headers })
  const post: Visitor['post'] = async (path, form = {}, headers = {}) => {
    const { csrfToken } = (await (await get('/api/auth/csrf')).json()) as { csrfToken: string }
    const body = new URLSearchParams({ csrfToken, json: 'true', ...form })
    const response = await send(path, { method: 'POST', headers, body })
    const target = response.headers.get('content-type')?.includes('json')
      ? ((await response.clone().json()) as { url?: string }).url
      : response.headers.get('location')
    return { response, url: new URL(target ?? '', origin), cookies: response.headers.getSetCookie() }
  }
  return {
    cookies,
    get,
    post,
    signIn: (email, password = TEST_PASSWORD) => post('/api/auth/callback/local', { email, password }),
  }
}
