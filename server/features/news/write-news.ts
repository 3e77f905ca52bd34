import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { isWider, NEWS_KINDS, NEWS_VISIBILITIES, type NewsVisibility } from '../../../shared/news/news.ts'
import { dayAfter, dayInRomania } from '../../../shared/romania/day.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalid, invalidState, notFound } from '../../errors.ts'
import { isId, newId } from '../../platform/ids.ts'
import { parseInput, requiredNote } from '../../validation.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getPatient } from '../patients/get-patient.ts'
import { isOpenReferral, listReferrals } from '../patients/list-referrals.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { lockPatients } from '../patients/merged-patients.ts'
import { announceNews } from './announce-news.ts'
import { getNews } from './list-news.ts'
import { canWriteNews } from './news.access.ts'
import {
  countNewsOf,
  insertNews,
  lockNews,
  type NewsRow,
  type NewsText,
  rewriteNews,
  selectEqual,
  selectPatientOf,
  updateNews,
} from './news.db.ts'

const textSchema = z.object({
  kind: z.enum(NEWS_KINDS),
  text: requiredNote('Textul', LIMITS.newsText),
  visibility: z.enum(NEWS_VISIBILITIES),
})

/** The institutions that the author was shown as new readers, and has confirmed. */
type Confirmed = { shownTo: readonly string[] }

/**
 * Writes news about a patient, for staff. Throws CONFLICT if an institution would read it that `shownTo` does not name, and
 * if the patient has too many already. The same text again within minutes, as in a repeated request, is written once.
 */
export function createNews(
  ctx: UserCtx,
  {
    patientId,
    pinnedUntil = null,
    news,
    shownTo,
  }: Confirmed & { patientId: string; pinnedUntil?: string | null | undefined; news: unknown },
): Promise<NewsRow> {
  if (!canWriteNews(ctx.actor)) throw forbidden('create news')
  const text = parseInput(textSchema, news)
  requirePinnable(ctx, pinnedUntil)
  return inTransaction(ctx, async (tx) => {
    const patient = await lockPatient(tx, patientId)
    const since = new Date(tx.now.getTime() - LIMITS.repeatedNewsMinutes * 60_000)
    const equal = await selectEqual(tx.db, {
      ...text,
      patientId: patient.id,
      authorId: tx.actor.id,
      since,
    })
    if (equal) return getNews(tx, equal.id)
    await requireConfirmed(tx, patient.id, 'staff', text.visibility, shownTo)
    if ((await countNewsOf(tx.db, patient.id)) >= LIMITS.patientNews)
      throw invalidState(
        'too many news',
        `Despre acest pacient sunt deja ${LIMITS.patientNews} de noutăți, cu cele șterse de curând. Modifică una veche sau șterge ce nu mai este valabil.`,
      )
    const id = newId()
    await insertNews(tx.db, {
      id,
      patient_id: patient.id,
      ...text,
      pinned_until: pinnedUntil,
      created_by: tx.actor.id,
      created_at: tx.now,
      written_by: tx.actor.id,
      written_at: tx.now,
    })
    await record(tx, 'news.create', { id, patient_id: patient.id }, { visibility: { to: text.visibility } })
    await announceNews(tx, patient.id, text.visibility)
    return getNews(tx, id)
  })
}

/**
 * Writes another text, kind or visibility of an entry, for staff; the former ones are kept. Throws CONFLICT if the entry has
 * changed, or like `createNews` if an institution would read it that does not yet.
 */
export function editNews(
  ctx: UserCtx,
  { id, version, news, shownTo }: Confirmed & { id: string; version: number; news: unknown },
): Promise<NewsRow> {
  if (!canWriteNews(ctx.actor)) throw forbidden('edit news')
  const text = parseInput(textSchema, news)
  return inTransaction(ctx, async (tx) => {
    const before = await lockEntry(tx, id, version)
    const former = before.visibility
    if (isSame(before, text)) return before
    await requireConfirmed(tx, before.patient_id, former, text.visibility, shownTo)
    await rewriteNews(tx.db, [id], text, { writerId: tx.actor.id, now: tx.now })
    await record(tx, 'news.edit', before, {
      ...listChanges<NewsText>(before, text, ['kind', 'visibility']),
      // The texts themselves are not in the audit log, from which nothing can be deleted.
      revision: { from: before.revision, to: before.revision + 1 },
    })
    await announceNews(tx, before.patient_id, isWider(former, text.visibility) ? text.visibility : former)
    return getNews(tx, id)
  })
}

/** Pins an entry until the end of a day, or with null no longer, for staff. Throws CONFLICT if the entry has changed. */
export function pinNews(
  ctx: UserCtx,
  { id, version, until = null }: { id: string; version: number; until?: string | null | undefined },
): Promise<NewsRow> {
  if (!canWriteNews(ctx.actor)) throw forbidden('pin news')
  requirePinnable(ctx, until)
  return inTransaction(ctx, async (tx) => {
    const before = await lockEntry(tx, id, version)
    if (before.pinned_until === until) return before
    await updateNews(tx.db, id, { pinned_until: until })
    await record(tx, until === null ? 'news.unpin' : 'news.pin', before, {
      pinned_until: { from: before.pinned_until, to: until },
    })
    await announceNews(tx, before.patient_id, before.visibility)
    return getNews(tx, id)
  })
}

/**
 * Removes an entry, for staff: nobody outside the organisation reads anything of it any more, and staff read it for
 * `LIMITS.binDays`. Throws CONFLICT if the entry has changed.
 */
export function removeNews(ctx: UserCtx, { id, version }: { id: string; version: number }): Promise<boolean> {
  if (!canWriteNews(ctx.actor)) throw forbidden('remove news')
  return inTransaction(ctx, async (tx) => {
    const before = await lockEntry(tx, id, version)
    await updateNews(tx.db, id, { removed_at: tx.now, removed_by: tx.actor.id })
    await record(tx, 'news.remove', before)
    await announceNews(tx, before.patient_id, before.visibility)
    return true
  })
}

const isSame = (row: NewsRow, { kind, text, visibility }: NewsText): boolean =>
  row.kind === kind && row.text === text && row.visibility === visibility

/** Keeps the patient and its referrals as they are until the transaction ends. */
async function lockPatient(tx: UserCtx, patientId: string): Promise<{ id: string }> {
  await blockMerges(tx)
  const { id } = await getPatient(tx, patientId)
  await lockPatients(tx, [id])
  return { id }
}

async function lockEntry(tx: UserCtx, id: string, version: number): Promise<NewsRow> {
  if (!isId(id)) throw notFound('news')
  await blockMerges(tx)
  const found = await selectPatientOf(tx.db, id)
  if (!found) throw notFound('news')
  await lockPatients(tx, [found.patient_id])
  await lockNews(tx.db, id)
  const row = await getNews(tx, id)
  if (row.version !== version) throw conflict('news')
  return row
}

/** Throws CONFLICT if an institution reads it at `to` that does not at `from` and was not confirmed, as after a new referral. */
async function requireConfirmed(
  tx: UserCtx,
  patientId: string,
  from: NewsVisibility,
  to: NewsVisibility,
  shownTo: readonly string[],
): Promise<void> {
  if (from !== 'staff' || !isWider(from, to)) return
  const referrals = (await listReferrals(tx, patientId)).filter(isOpenReferral)
  const unnamed = referrals.filter(({ institution_id }) => !shownTo.includes(institution_id))
  if (unnamed.length === 0) return
  const names = [...new Set(unnamed.map(({ institution_name }) => institution_name))].join(', ')
  throw invalidState('unconfirmed readers', `Ar citi și: ${names}. Confirmă din nou cine citește.`)
}

/** Throws BAD_USER_INPUT for a day that is over, or too far ahead. */
function requirePinnable({ now }: UserCtx, until: string | null): void {
  if (until === null) return
  const today = dayInRomania(now)
  if (until < today || until > dayAfter(today, LIMITS.pinnedDays))
    throw invalid([
      {
        field: 'pinnedUntil',
        message: `Alege o zi de azi înainte, cel mult peste ${LIMITS.pinnedDays} de zile.`,
      },
    ])
}

const record = (
  tx: UserCtx,
  action: 'news.create' | 'news.edit' | 'news.pin' | 'news.unpin' | 'news.remove',
  { id, patient_id }: { id: string; patient_id: string },
  changes: Record<string, { from?: unknown; to?: unknown }> = {},
) => recordAudit(tx, { action, subject: { type: 'news', id }, patientId: patient_id, changes })
