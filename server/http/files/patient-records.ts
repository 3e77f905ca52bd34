import { Hono } from 'hono'
import { requireReadable, type Sending } from '../../features/operations/download-files.ts'
import {
  openPatientRecord,
  readPatientRecord,
  requireExport,
} from '../../features/patient-records/export-patient-record.ts'
import { readArchive } from '../../features/uploads/files/zip-files.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { sendToUser } from './revocable-stream.ts'
import { authenticateExport } from './send-export.ts'

/** Uploads whose access is still watched after the last byte was read: bytes of small files may wait for the connection. */
const BUFFERED_UPLOADS = 8

/** Serves everything about a patient as an archive that is written while it is sent. Posted, since it is recorded. */
export function patientRecordRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.post('/:name{.+\\.zip}', async (c) => {
    const ctx = await authenticateExport(services, c)
    return sendToUser(ctx, async (guard) => {
      const patient = await openPatientRecord(ctx, c.req.param('name').slice(0, -'.zip'.length))
      const sending: Sending[] = []
      const entries = readPatientRecord(ctx, patient, (next) => {
        sending.push(next)
        if (sending.length > BUFFERED_UPLOADS) sending.shift()
      })
      const body = await guard({
        chunks: readArchive(ctx.services.storage, entries),
        isSending: (id) => sending.some(({ uploadId }) => uploadId === id),
        find: async (now) => {
          requireExport(now)
          await requireReadable(now, sending)
        },
      })
      return c.body(body, 200, {
        'cache-control': 'private, no-store',
        'content-disposition': `attachment; filename="pacient-${patient.number}.zip"`,
        'content-type': 'application/zip',
        'x-content-type-options': 'nosniff',
      })
    })
  })
  return routes
}
