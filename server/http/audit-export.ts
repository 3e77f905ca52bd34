import { Hono } from 'hono'
import { AUDIT_EXPORT_CUT } from '../../shared/audit-export.ts'
import { createContext } from '../context.ts'
import { unauthenticated } from '../errors.ts'
import { exportAuditEvents } from '../features/audit/export-audit-events.ts'
import type { Parts } from '../parts.ts'
import { findBearer } from './actors.ts'
import { toBody } from './body-of-pieces.ts'
import type { Env } from './types.ts'

/**
 * The journal as a file [2.9]. By the bearer alone: no link, wherever it came from, opens it with somebody's cookie, and
 * there is nothing to be passed on.
 */
export function createAuditExportDoor(parts: Parts): Hono<Env> {
  const door = new Hono<Env>()
  door.get('/', async (c) => {
    const found = await findBearer(parts, c.req.header('authorization'))
    if (!found) throw unauthenticated()
    const ctx = createContext(parts, found.actor, c.get('facts'))
    const { pieces, isCut } = await exportAuditEvents(ctx, c.req.query())
    return c.body(await toBody(ctx, pieces), 200, {
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="jurnal.csv"',
      'content-type': 'text/csv; charset=utf-8',
      'x-content-type-options': 'nosniff',
      ...(isCut && { [AUDIT_EXPORT_CUT]: '1' }),
    })
  })
  return door
}
