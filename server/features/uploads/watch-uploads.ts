import type { UserCtx } from '../../context.ts'
import { type ChangeEvent, streamEvents } from '../../platform/events.ts'
import { renewContext } from '../accounts/sessions/renew-actor.ts'
import { findPatient } from '../patients/get-patient.ts'
import { findUpload, findUploads, mayFollowSent } from './find-upload.ts'
import { canReadFiles, canReadRecalls, canReview } from './uploads.access.ts'

type UploadChange = { id: string | null; patientId: string | null }

/**
 * Streams the ids of uploads that change from now on and that the actor may read, of one patient or of all. A
 * connection outlives the permissions it was opened with, so access is rechecked for every event. Throws
 * UNAUTHENTICATED at the next event after the session has ended.
 */
export const watchUploads = (ctx: UserCtx, patientId: string | null): AsyncIterableIterator<UploadChange> =>
  streamEvents(ctx.services.events.subscribe(), (events) => recheckAccess(ctx, events, patientId))

async function* recheckAccess(
  ctx: UserCtx,
  events: AsyncIterable<ChangeEvent>,
  patientId: string | null,
): AsyncGenerator<UploadChange> {
  for await (const event of events) {
    if (event.kind === 'deletion-request') {
      const { actor } = await renewContext(ctx)
      const isShown = canReview(actor) || actor.institutionIds.includes(event.institutionId)
      if (isShown && patientId === null) yield { id: null, patientId: null }
      continue
    }
    if (event.kind === 'recall') {
      const now = await renewContext(ctx)
      if (now.actor.institutionIds.includes(event.institutionId)) yield { id: null, patientId: null }
      else if (canReadRecalls(now.actor) && (await findUpload(now, event.uploadId)))
        yield { id: event.uploadId, patientId: null }
      continue
    }
    if (event.kind === 'inbox') {
      const now = await renewContext(ctx)
      if (!now.actor.institutionIds.includes(event.institutionId)) continue
      for (const { id, patient_id } of await findUploads(now, event.uploadIds))
        if (patientId === null || patientId === patient_id) yield { id, patientId: patient_id }
      continue
    }
    if (event.kind !== 'upload' && event.kind !== 'resync') continue
    if (event.kind === 'upload' && patientId !== null && event.patientId !== patientId) continue
    const now = await renewContext(ctx)
    const upload = event.kind === 'upload' ? await findUpload(now, event.id) : undefined
    if (event.kind === 'resync') yield { id: null, patientId: null }
    else if (upload) {
      if (await mayKnowPatient(now, event.patientId, upload))
        yield { id: event.id, patientId: event.patientId }
      else if (patientId === null) yield { id: event.id, patientId: upload.patient_id }
    }
    // Without the patient, also as an answer to who asks for one: staff may have given it to one who is not the institution's.
    else if (patientId === null && (await mayFollowSent(now, event.id)))
      yield { id: event.id, patientId: null }
    else if (
      event.isRevoked &&
      canReadFiles(now.actor) &&
      now.actor.institutionIds.includes(event.institutionId ?? '')
    )
      // The open page must drop the upload; the event reveals nothing else about it.
      yield { id: null, patientId: null }
    else if (canReview(now.actor) && !canReadFiles(now.actor))
      // It may have left the review, and with it what this reviewer may read.
      yield { id: null, patientId: null }
  }
}

/**
 * Whether the reader of an upload may know the patient that it had at an event: an institution reads the event later, when the
 * upload may have been given to a patient of the institution.
 */
const mayKnowPatient = async (
  now: UserCtx,
  patientId: string | null,
  upload: { patient_id: string | null },
): Promise<boolean> =>
  patientId === null || patientId === upload.patient_id || (await findPatient(now, patientId)) !== undefined
