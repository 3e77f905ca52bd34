import { z } from 'zod'
import { explainFailure } from '../../../shared/messages/explain-failure.ts'
import { MESSAGE_STATE_NAMES } from '../../../shared/messages/message-states.ts'
import { formatMoment } from '../../../shared/romania/moment.ts'
import { UPLOAD_STATE_NAMES } from '../../../shared/uploads/upload-states.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { parseInput } from '../../validation.ts'
import { type CsvExport, exportList, UNKNOWN_FILTER } from '../audit/exports/export-list.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getPatient } from '../patients/get-patient.ts'
import { getUpload } from '../uploads/find-upload.ts'
import { describeRecipient } from '../uploads/released/openings.ts'
import { canReadLedger } from './deliveries.access.ts'
import { type LedgerRow, type LedgerSubject, selectLedger } from './ledger.db.ts'

export type LedgerArgs = { uploadId?: string | null | undefined; patientId?: string | null | undefined }

/** Returns the upload, or the patient, if the actor may read it; throws NOT_FOUND otherwise. */
async function findSubject(
  ctx: UserCtx,
  { uploadId, patientId }: LedgerArgs,
): Promise<{ subject: LedgerSubject; patientId: string | null }> {
  if (!canReadLedger(ctx.actor)) throw forbidden('read the ledger of deliveries')
  if (uploadId && !patientId) {
    const upload = await getUpload(ctx, uploadId)
    return { subject: { uploadId: upload.id }, patientId: upload.patient_id }
  }
  if (!patientId || uploadId)
    throw invalid([{ field: 'patientId', message: 'Alege o încărcare sau un pacient.' }])
  const { id } = await getPatient(ctx, patientId)
  return { subject: { patientId: id }, patientId: id }
}

/**
 * Returns when an upload, or each of a patient, was received, checked, accepted and released, and to whom it was announced, who
 * has opened and downloaded it, for reviewers. The reading is recorded.
 */
export async function listLedger(ctx: UserCtx, args: LedgerArgs & PageArgs): Promise<Page<LedgerRow>> {
  const { subject, patientId } = await findSubject(ctx, args)
  const request = parsePage(args)
  const rows = await selectLedger(ctx.db, subject, request)
  const page = toPage(rows, request, keysOf)
  await recordAudit(ctx, {
    action: 'upload.read-access',
    ...('uploadId' in subject
      ? { subject: { type: 'upload', id: subject.uploadId } }
      : { subjectIds: [...new Set(page.nodes.map(({ upload_id }) => upload_id))] }),
    patientId,
  })
  return page
}

const keysOf = ({ upload_id, recipient_key }: LedgerRow): [string, string] => [upload_id, recipient_key]

/** Returns the name of a user, or who the recipient of a share is; null without a recipient. */
export const recipientNameOf = ({ recipient_kind, recipient_name }: LedgerRow): string | null =>
  recipient_kind === null ? recipient_name : describeRecipient(recipient_kind, recipient_name)

const HEADINGS = [
  'Număr',
  'Titlu',
  'Stare',
  'Instituție',
  'Primită',
  'Controlată',
  'Acceptată',
  'Eliberată',
  'Destinatar',
  'Mesaj',
  'Mesaj trimis',
  'Deschisă',
  'Descărcată',
]

const filterSchema = z.strictObject(
  {
    uploadId: z.uuid({ error: UNKNOWN_FILTER }).nullish(),
    patientId: z.uuid({ error: UNKNOWN_FILTER }).nullish(),
  },
  { error: UNKNOWN_FILTER },
)

/** Returns the ledger of an upload, or of a patient, as a CSV file, for reviewers. */
export async function exportLedger(ctx: UserCtx, input: unknown): Promise<CsvExport> {
  const { subject } = await findSubject(ctx, parseInput(filterSchema, input))
  return exportList<LedgerRow & { id: string }>(ctx, {
    action: 'upload.export-ledger',
    readAction: 'upload.read-access',
    filter: {},
    headings: HEADINGS,
    select: async (page) =>
      (await selectLedger(ctx.db, subject, page)).map((row) => ({ ...row, id: row.upload_id })),
    keysOf,
    describe: (row) => [
      String(row.upload_number),
      row.title,
      UPLOAD_STATE_NAMES[row.state],
      row.institution_name ?? '',
      ...[row.received_at, row.checked_at, row.reviewed_at, row.released_at].map(shownAt),
      recipientNameOf(row) ?? '',
      describeMail(row),
      ...[row.mailed_at, row.opened_at, row.downloaded_at].map(shownAt),
    ],
  })
}

const shownAt = (at: Date | null): string => (at ? formatMoment(at) : '')

const describeMail = ({ mail_state, mail_error }: LedgerRow): string =>
  mail_state === null
    ? ''
    : mail_error === null
      ? MESSAGE_STATE_NAMES[mail_state]
      : `${MESSAGE_STATE_NAMES[mail_state]}: ${explainFailure(mail_error)}`
