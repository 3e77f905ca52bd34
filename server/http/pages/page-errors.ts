import { Hono } from 'hono'
import { z } from 'zod'
import { SCREENS } from '../../../shared/access/site-map.ts'
import {
  ERROR_NAME_PATTERN,
  MAX_POSITIONS,
  type PageError,
  POSITION_PATTERN,
} from '../../../shared/page-errors.ts'
import type { Config } from '../../config.ts'
import { UserError } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { networkOf } from '../middleware/client-address.ts'
import { limitBody } from '../middleware/limit-body.ts'
import type { Env } from '../types.ts'

const MAX_BODY_BYTES = 4 * 1024
const WINDOW_MS = 60_000
/** Reports logged in one window, of one network and of all together; shared evenly by the workers. */
const MAX_REPORTS = { network: 10, total: 60 }

const WHOLE_POSITION = new RegExp(`^${POSITION_PATTERN.source}$`)

/** Accepts only names, numbers and identifiers: no text in which a page could send personal data. */
const pageError: z.ZodType<PageError> = z.strictObject({
  name: z.string().regex(ERROR_NAME_PATTERN).nullable(),
  status: z.int().min(400).max(599).nullable(),
  request: z.uuid().nullable(),
  screen: z.enum(SCREENS).nullable(),
  build: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .nullable(),
  positions: z.array(z.string().max(150).regex(WHOLE_POSITION)).max(MAX_POSITIONS),
})

type PageErrorServices = Pick<Services, 'log'> & { config: Pick<Config, 'workers'> }

/**
 * Writes unhandled errors of the pages to the server's log [8.12]. Responds 429 to reports beyond the limit,
 * which are not logged.
 */
export function pageErrorRoutes({ log, config }: PageErrorServices): Hono<Env> {
  const ofWorker = (limit: number) => Math.ceil(limit / config.workers)
  const counts = new Map<string, number>()
  let windowEnd = 0
  const claim = (network: string, now: number): boolean => {
    if (now >= windowEnd) {
      counts.clear()
      windowEnd = now + WINDOW_MS
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const count = counts.get(network) ?? 0
    if (total >= ofWorker(MAX_REPORTS.total) || count >= ofWorker(MAX_REPORTS.network)) return false
    counts.set(network, count + 1)
    return true
  }

  const routes = new Hono<Env>()
  routes.post('/', limitBody(MAX_BODY_BYTES), async (c) => {
    const report = pageError.safeParse(await c.req.json().catch(() => null))
    if (!report.success) throw new UserError('BAD_USER_INPUT', 'invalid report')
    const { ip } = c.get('requestOrigin')
    if (!claim(ip === null ? '' : networkOf(ip), Date.now()))
      throw new UserError('TOO_MANY', 'too many reports')
    const { positions, ...fields } = report.data
    log.warn('page: unhandled error', { ...fields, stack: positions.join('\n') })
    return c.body(null, 204)
  })
  return routes
}
