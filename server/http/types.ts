import type { Actor, RequestFacts } from '../context.ts'

/** What the doors find on Hono's context: set once by the first middleware, `actor` by the doors that ask for one. */
export type Env = { Variables: { facts: RequestFacts; actor: Actor } }
