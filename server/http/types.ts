import type { Actor, RequestInfo } from '../context.ts'

/**
 * The variables of Hono's context: `requestInfo` is set by the first middleware, `actor` by routes that
 * authenticate.
 */
export type Env = { Variables: { requestInfo: RequestInfo; actor: Actor } }
