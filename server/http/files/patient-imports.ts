import { Hono } from 'hono'
import { IMPORT_FILE_NAME, IMPORT_LIMITS } from '../../../shared/imports/patient-imports.ts'
import { invalid, unauthenticated } from '../../errors.ts'
import { exportRefused } from '../../features/imports/export-refused.ts'
import { authoriseImport, receiveImport } from '../../features/imports/receive-import.ts'
import type { Services } from '../../services.ts'
import { authenticateBearer } from '../auth/authenticate.ts'
import { limitBody } from '../middleware/limit-body.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import type { Env } from '../types.ts'
import { authenticateExport, sendCsv } from './send-export.ts'

const limitFile = limitBody(IMPORT_LIMITS.bytes, 'Fișierul depășește 32 MB. Împarte-l în mai multe fișiere.')

/** Receives files of patients as raw bytes; responds with `{ id }` of the import. Serves the refused rows as CSV. */
export function patientImportRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.post('/', async (c) => {
    const session = await authenticateBearer(services, c.req.header('authorization'), 'files')
    if (!session) throw unauthenticated()
    const ctx = createRouteContext(services, c, session.actor)
    authoriseImport(ctx)
    const userError = await limitFile(c, async () => undefined)
    if (userError) return userError
    const name = decodeName(c.req.header(IMPORT_FILE_NAME) ?? '')
    const id = await receiveImport(ctx, name, new Uint8Array(await c.req.arrayBuffer()))
    return c.json({ id }, 201, { 'cache-control': 'no-store' })
  })
  routes.get('/:id/refused.csv', async (c) => {
    const ctx = await authenticateExport(services, c)
    const chunks = await exportRefused(ctx, c.req.param('id'))
    return sendCsv(c, ctx, { name: 'randuri-refuzate.csv', chunks })
  })
  return routes
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw invalid([{ field: 'name', message: 'Numele fișierului nu poate fi citit.' }])
  }
}
