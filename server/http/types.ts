import type { Actor, RequestOrigin } from '../context.ts'

/**
 * The variables of Hono's context: `requestOrigin` is set by the first middleware, `actor` by routes that
 * authenticate.
 */
export type Env = { Variables: { requestOrigin: RequestOrigin; actor: Actor } }
