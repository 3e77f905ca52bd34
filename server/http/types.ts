import type { Actor, RequestInfo } from '../context.ts'

/** What the doors find on Hono's context: set once by the first middleware, `actor` by the doors that ask for one. */
export type Env = { Variables: { requestInfo: RequestInfo; actor: Actor } }
