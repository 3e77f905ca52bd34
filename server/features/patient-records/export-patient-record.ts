import { createHash } from 'node:crypto'
import { describeEvent } from '../../../shared/audit/audit-sentences.ts'
import { PATIENT_RECORD_FORMAT } from '../../../shared/patients.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { renewContextInUse } from '../accounts/sessions/renew-actor.ts'
import { readPatientAccess } from '../audit/list-patient-access.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { listNewsOf, loadRevisions } from '../news/list-news.ts'
import { canReadNews } from '../news/news.access.ts'
import type { Sending } from '../operations/download-files.ts'
import { getPatient } from '../patients/get-patient.ts'
import { listReferrals } from '../patients/list-referrals.ts'
import type { PatientRow } from '../patients/patients.db.ts'
import { canShare } from '../shares/shares.access.ts'
import { openFiles } from '../uploads/files/open-file.ts'
import { type ArchiveEntry, toEntries } from '../uploads/files/zip-files.ts'
import { listUploadsOfPatient } from '../uploads/list-uploads.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findFilesOfUploads } from '../uploads/uploads.loaders.ts'
import { canExportPatientRecords } from './patient-records.access.ts'
import { selectAccessRequests, selectMessages, selectPersons, selectShares } from './patient-records.db.ts'

/**
 * Returns the patient whose record is to be sent, for administrators with the files of patients and a fresh proof; records the
 * export. Throws NOT_FOUND for an unknown patient.
 */
export async function openPatientRecord(ctx: UserCtx, patientId: string): Promise<PatientRow> {
  requireExport(ctx)
  requireFreshProof(ctx)
  const patient = await getPatient(ctx, patientId)
  await recordAudit(ctx, {
    action: 'patient.export-record',
    subject: { type: 'patient', id: patient.id },
    patientId: patient.id,
  })
  return patient
}

/** Throws FORBIDDEN unless the actor may export the records of patients. */
export function requireExport({ actor }: UserCtx): void {
  if (!canExportPatientRecords(actor)) throw forbidden('export patient record')
}

/** Other states may be of another patient: nobody has said yet whose they are, or somebody has said that they are not. */
const CERTAIN: ReadonlySet<string> = new Set(['released', 'replaced'])

/**
 * Yields everything about a patient for an archive: `pacient.json`, the files of what was released, and `acces.json` with who has
 * looked. Each upload is opened when its turn comes, with the rights of that moment and an audit entry; a file that can no
 * longer be read ends the archive. `onSend` gets the files of an upload before their first byte.
 */
export async function* readPatientRecord(
  ctx: UserCtx,
  patient: PatientRow,
  onSend: (sending: Sending) => void,
): AsyncGenerator<ArchiveEntry> {
  const [persons, uploads] = [await selectPersons(ctx.db, patient.id), await readUploads(ctx, patient.id)]
  const files = Map.groupBy(
    await findFilesOfUploads(
      ctx,
      uploads.filter(({ state }) => CERTAIN.has(state)).map(({ id }) => id),
    ),
    ({ upload_id }) => upload_id,
  )
  const entriesOf = ({ id, number }: UploadRow) =>
    toEntries(files.get(id) ?? []).map(({ file, name }) => ({ file, name: `fisiere/${number}/${name}` }))
  const personIds = persons.map(({ id }) => id)
  const record = {
    ...PATIENT_RECORD_FORMAT,
    writtenAt: ctx.now,
    writtenBy: ctx.actor.name,
    patient: persons[0],
    mergedPatients: persons.slice(1),
    referrals: await listReferrals(ctx, patient.id),
    uploads: uploads.map((upload) => ({
      ...describeUpload(upload),
      files: entriesOf(upload).map(({ file, name }) => ({
        path: name,
        name: file.name,
        type: file.type,
        bytes: file.size,
        sha256: file.sha256.toString('hex'),
      })),
    })),
    messages: await selectMessages(ctx.db, personIds),
    accessRequests: await selectAccessRequests(ctx.db, personIds),
    shares: canShare(ctx.actor) ? await selectShares(ctx.db, personIds) : null,
    news: await readNews(ctx, patient.id),
  }
  const text = Buffer.from(`${JSON.stringify(record, null, 2)}\n`)
  yield { name: 'pacient.json', date: ctx.now, chunks: once(text) }
  const sums = [`${createHash('sha256').update(text).digest('hex')}  pacient.json`]
  for (const upload of uploads) {
    const planned = entriesOf(upload)
    if (planned.length === 0) continue
    const opened = await openFiles(await renewContextInUse(ctx), upload.id)
    const ids = new Set(opened.files.map(({ id }) => id))
    if (planned.some(({ file }) => !ids.has(file.id))) throw notFound('file')
    onSend({ uploadId: upload.id, fileIds: [...ids] })
    for (const entry of planned) {
      sums.push(`${entry.file.sha256.toString('hex')}  ${entry.name}`)
      yield entry
    }
  }
  yield { name: 'SHA256SUMS', date: ctx.now, chunks: once(Buffer.from(`${sums.join('\n')}\n`)) }
  // Last, so that it also has the openings of this export.
  yield { name: 'acces.json', date: ctx.now, chunks: writeAccess(await renewContextInUse(ctx), personIds) }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function readUploads(ctx: UserCtx, patientId: string): Promise<UploadRow[]> {
  const all: UploadRow[] = []
  let after: string | null = null
  do {
    const page = await listUploadsOfPatient(ctx, patientId, { first: 100, after })
    all.push(...page.nodes)
    after = page.endCursor
  } while (after !== null)
  return all
}

const describeUpload = (upload: UploadRow) => ({
  number: upload.number,
  title: upload.title,
  state: upload.state,
  category: upload.category_name,
  institution: upload.institution_name,
  examinedOn: upload.examined_on,
  accessionNumber: upload.accession_number,
  referringDoctor: upload.referring_doctor,
  note: upload.note,
  createdAt: upload.created_at,
  releasedAt: upload.released_at,
})

/** Returns the news with their former texts, also those removed that are still kept; null while the feature is off. */
async function readNews(ctx: UserCtx, patientId: string) {
  if (!canReadNews(ctx.actor)) return null
  const rows = [
    ...(await listNewsOf(ctx, { patientId })),
    ...(await listNewsOf(ctx, { patientId, removed: true })),
  ]
  return Promise.all(
    rows.map(async (row) => ({
      kind: row.kind,
      text: row.text,
      visibility: row.visibility,
      author: row.writer_name,
      writtenAt: row.written_at,
      removedAt: row.removed_at,
      former: (await loadRevisions(ctx, row)).map(({ kind, text, visibility, writer_name, written_at }) => ({
        kind,
        text,
        visibility,
        author: writer_name,
        writtenAt: written_at,
      })),
    })),
  )
}

/** Writes who has seen, downloaded or changed data of these patients, newest first, page by page. */
async function* writeAccess(ctx: UserCtx, patientIds: readonly string[]): AsyncGenerator<Buffer> {
  let separator = '[\n'
  for (const patientId of patientIds)
    for await (const page of readPatientAccess(ctx, patientId))
      for (const { at, actor_name, role, action, outcome } of page) {
        const { actor, predicate } = describeEvent({ actorName: actor_name, action, shownCount: 0 })
        yield Buffer.from(
          separator + JSON.stringify({ at, who: actor, role, action, what: predicate, outcome }),
        )
        separator = ',\n'
      }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n')
}
