import { Hono } from 'hono'
import { requireReadable } from '../../features/operations/download-files.ts'
import {
  openPatientRecord,
  readPatientRecord,
  requireExport,
} from '../../features/patient-records/export-patient-record.ts'
import { readArchive } from '../../features/uploads/files/zip-files.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { sendToUser } from './revocable-stream.ts'
import { sendArchive, trackSending } from './send-archive.ts'
import { authenticateExport } from './send-export.ts'

/** Serves everything about a patient as an archive that is written while it is sent. Posted, since it is recorded. */
export function patientRecordRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.post('/:name{.+\\.zip}', async (c) => {
    const ctx = await authenticateExport(services, c)
    return sendToUser(ctx, async (guard) => {
      const patient = await openPatientRecord(ctx, c.req.param('name').slice(0, -'.zip'.length))
      const { sending, onSend, isSending } = trackSending()
      return sendArchive(c, `pacient-${patient.number}.zip`, () =>
        guard({
          chunks: readArchive(ctx.services.storage, readPatientRecord(ctx, patient, onSend)),
          isSending,
          find: async (now) => {
            requireExport(now)
            await requireReadable(now, sending)
          },
        }),
      )
    })
  })
  return routes
}
