import { type Context, Hono } from 'hono'
import type { UserCtx } from '../../context.ts'
import type { CsvExport } from '../../features/audit/exports/export-list.ts'
import { exportLedger } from '../../features/deliveries/list-ledger.ts'
import { exportInstitutions } from '../../features/institutions/export-institutions.ts'
import { exportPatients } from '../../features/patients/export-patients.ts'
import { exportQueue } from '../../features/uploads/exports/export-queue.ts'
import type { Services } from '../../services.ts'
import { limitBody } from '../middleware/limit-body.ts'
import type { Env } from '../types.ts'
import { authenticateExport, sendCsv } from './send-export.ts'

const MAX_FILTER_BYTES = 16 * 1024

/** Serves the list of patients as CSV, with the filter that is posted. */
export const patientsExportRoutes = (services: Services): Hono<Env> =>
  listRoutes(services, 'pacienti.csv', exportPatients)

/** Serves the queue as CSV, with the filter that is posted. */
export const uploadsExportRoutes = (services: Services): Hono<Env> =>
  listRoutes(services, 'incarcari.csv', exportQueue)

/** Serves the list of institutions as CSV, with the filter that is posted. */
export const institutionsExportRoutes = (services: Services): Hono<Env> =>
  listRoutes(services, 'institutii.csv', exportInstitutions)

/** Serves the ledger of deliveries of an upload or a patient as CSV. */
export const ledgerExportRoutes = (services: Services): Hono<Env> =>
  listRoutes(services, 'livrare.csv', exportLedger)

function listRoutes(
  services: Services,
  name: string,
  exportRows: (ctx: UserCtx, filter: unknown) => Promise<CsvExport>,
): Hono<Env> {
  const routes = new Hono<Env>()
  routes.post('/', limitBody(MAX_FILTER_BYTES), async (c: Context<Env>) => {
    const ctx = await authenticateExport(services, c)
    const { chunks, isCut } = await exportRows(ctx, await c.req.json().catch(() => null))
    return sendCsv(c, ctx, { name, chunks, isCut })
  })
  return routes
}
