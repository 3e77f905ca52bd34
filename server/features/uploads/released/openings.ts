import { OPENING_ACTS, type OpeningAct } from '../../../../shared/incidents/incidents.ts'
import type { Ctx, UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { getUpload } from '../find-upload.ts'
import { canReview } from '../uploads.access.ts'
import type { UploadRow } from '../uploads.db.ts'
import {
  actOf,
  deleteOpenings,
  selectActs,
  selectInstitutionChanges,
  selectInstitutionNames,
  selectLastMove,
  selectLastRequests,
  selectOpeners,
  selectShareActs,
} from './released.db.ts'

/** What a user of an institution, or the recipient of a share, did with a result, each act with its first and last time. */
export type Opening = {
  /** Null: the recipient of a share. */
  userId: string | null
  name: string
  /** Of the institution to which the result was released then; null for the recipient of a share. */
  institutionId: string | null
  institutionName: string | null
  acts: { kind: OpeningAct; firstAt: Date; lastAt: Date }[]
}

/**
 * Returns who of the institutions and of the recipients of shares opened, previewed or downloaded the upload, for reviewers:
 * since it was last moved to another patient, the first to open it first. The reading is recorded.
 */
export async function listOpenings(ctx: UserCtx, id: string): Promise<Opening[]> {
  if (!canReview(ctx.actor)) throw forbidden('list openings')
  const upload = await getUpload(ctx, id)
  const openings = await findOpenings(ctx, upload)
  await recordAudit(ctx, {
    action: 'upload.read-access',
    subject: { type: 'upload', id },
    patientId: upload.patient_id,
  })
  return openings
}

/**
 * Makes an upload, which the transaction has locked, one that nobody has opened; the audit log keeps who has. It stays
 * one that was released for its patient.
 */
export async function forgetOpenings({ db }: Ctx, { id }: UploadRow): Promise<void> {
  await deleteOpenings(db, id)
}

type OpenedUpload = Pick<UploadRow, 'id' | 'institution_id'>

/** Returns what was opened of the upload since its institution was last asked to delete it. */
export async function findUnasked(ctx: Ctx, upload: OpenedUpload): Promise<Opening[]> {
  const requests = await selectLastRequests(ctx.db, upload.id)
  const asked = new Map(requests.map(({ institution_id, created_at }) => [institution_id, created_at]))
  return (await findOpenings(ctx, upload)).flatMap((opening) => {
    const since = asked.get(opening.institutionId ?? '')
    const acts = opening.acts.filter(({ lastAt }) => !since || lastAt > since)
    return acts.length > 0 ? [{ ...opening, acts }] : []
  })
}

/** Returns the openings of the upload, without recording that they were read. */
export async function findOpenings({ db }: Ctx, upload: OpenedUpload): Promise<Opening[]> {
  const since = await selectLastMove(db, upload.id)
  const changes = await selectInstitutionChanges(db, upload.id)
  const rows = await selectActs(db, upload.id, { since, changes: changes.map(({ at }) => at) })
  const openings = new Map<string, Opening>()
  const openingOf = (userId: string | null, name: string, institutionId: string | null): Opening => {
    const key = `${userId ?? name} ${institutionId}`
    const opening = openings.get(key) ?? { userId, name, institutionId, institutionName: null, acts: [] }
    openings.set(key, opening)
    return opening
  }
  for (const { actor_id, actor_name, action, period, first_at, last_at } of rows) {
    const change = changes[period]
    const institutionId = change ? change.from : upload.institution_id
    const { acts } = openingOf(actor_id!, actor_name, institutionId)
    acts.push({ kind: actOf(action), firstAt: first_at, lastAt: last_at })
  }
  // Openings of before the audit log had them.
  const recorded = new Set([...openings.values()].map(({ userId }) => userId))
  for (const { user_id, name, opened_at, downloaded_at } of await selectOpeners(db, upload.id)) {
    if (recorded.has(user_id)) continue
    const { acts } = openingOf(user_id, name, upload.institution_id)
    acts.push({ kind: 'open', firstAt: opened_at, lastAt: opened_at })
    if (downloaded_at) acts.push({ kind: 'download', firstAt: downloaded_at, lastAt: downloaded_at })
  }
  for (const { recipient_kind, name, action, first_at, last_at } of await selectShareActs(
    db,
    upload.id,
    since,
  )) {
    const { acts } = openingOf(null, describeRecipient(recipient_kind, name), null)
    acts.push({ kind: actOf(action), firstAt: first_at, lastAt: last_at })
  }
  return inOrder(db, [...openings.values()])
}

/** Without the names of the patient and of persons designated by the patient, since the report of an incident has none. */
export function describeRecipient(kind: string, name: string | null): string {
  const who = name ?? (kind === 'patient' ? 'Pacientul' : 'O persoană desemnată de pacient')
  return `${who}, printr-un link`
}

async function inOrder(db: Ctx['db'], openings: Opening[]): Promise<Opening[]> {
  const ids = [...new Set(openings.flatMap(({ institutionId }) => institutionId ?? []))]
  const names = new Map((await selectInstitutionNames(db, ids)).map(({ id, name }) => [id, name]))
  for (const opening of openings) {
    opening.institutionName = names.get(opening.institutionId ?? '') ?? null
    opening.acts.sort((a, b) => OPENING_ACTS.indexOf(a.kind) - OPENING_ACTS.indexOf(b.kind))
  }
  return openings.sort((a, b) => firstOf(a) - firstOf(b))
}

const firstOf = ({ acts }: Opening): number => Math.min(...acts.map(({ firstAt }) => firstAt.getTime()))
