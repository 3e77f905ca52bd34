import type { Ctx, RequestOrigin } from '../context.ts'

/**
 * The variables of Hono's context: `requestOrigin` is set by the first middleware, `client` by routes that
 * authenticate, so that denied access is recorded.
 */
export type Env = { Variables: { requestOrigin: RequestOrigin; client?: Ctx } }
