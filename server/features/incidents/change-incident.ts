import { z } from 'zod'
import { INCIDENT_NOTICES } from '../../../shared/incidents/incidents.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { maskCnps } from '../../../shared/romania/cnp.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalid, invalidState } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { optionalNote, parseInput, requiredText } from '../../validation.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type IncidentRequestRow, selectRequestsOfIncident } from './deletion-requests.db.ts'
import { describeEnd } from './describe-incident.ts'
import { getIncident, getLockedIncident, getOpenIncident } from './find-incident.ts'
import { canManageIncidents, canReadIncidents } from './incidents.access.ts'
import {
  type IncidentRow,
  insertNote,
  type NoteRow,
  selectNotes,
  updateClosed,
  updateNotices,
} from './incidents.db.ts'

const noteSchema = z.object({
  text: optionalNote('Nota').refine((text) => text !== null, 'Nota este necesară.'),
})

/** Adds a note to an open incident. Throws CONFLICT if it is closed. */
export function addIncidentNote(
  ctx: UserCtx,
  { id, ...input }: { id: string; text: string },
): Promise<IncidentRow> {
  if (!canReadIncidents(ctx.actor)) throw forbidden('add note')
  const { text } = parseInput(noteSchema, input)
  return inTransaction(ctx, async (tx) => {
    await getOpenIncident(tx, id)
    await insertNote(tx.db, {
      id: newId(),
      incident_id: id,
      text: maskCnps(text!),
      created_by: tx.actor.id,
      created_at: tx.now,
    })
    await recordAudit(tx, { action: 'incident.note', subject: { type: 'incident', id } })
    return getIncident(tx, id)
  })
}

const notice = z.enum(INCIDENT_NOTICES, { error: 'Alege o variantă.' }).nullish()
const noticesSchema = z.object({
  authority: notice,
  authorityAt: z.date().nullish(),
  persons: notice,
  personsAt: z.date().nullish(),
})

type Notices = {
  authority?: string | null | undefined
  authorityAt?: Date | null | undefined
  persons?: string | null | undefined
  personsAt?: Date | null | undefined
}

/**
 * Records whether and when the authority and the persons were notified, or that it is not needed, for administrators. Throws
 * BAD_USER_INPUT for a time before the discovery or in the future, and CONFLICT for a closed incident or another version.
 */
export function saveIncidentNotices(
  ctx: UserCtx,
  { id, version, ...input }: Notices & { id: string; version: number },
): Promise<IncidentRow> {
  if (!canManageIncidents(ctx.actor)) throw forbidden('save notices')
  const { authority, authorityAt, persons, personsAt } = parseInput(noticesSchema, input)
  return inTransaction(ctx, async (tx) => {
    const incident = await getOpenIncident(tx, id)
    if (incident.version !== version) throw conflict('incident')
    const timeOf = (field: string, decision: unknown, at: Date | null | undefined): Date | null => {
      if (!decision) return null
      // A decision that nothing has to be sent was made now.
      const time = decision === 'notified' ? (at ?? tx.now) : tx.now
      if (time > tx.now) throw invalid([{ field, message: 'Momentul nu poate fi în viitor.' }])
      if (time < incident.discovered_at)
        throw invalid([{ field, message: 'Momentul nu poate fi dinainte de descoperirea incidentului.' }])
      return time
    }
    const keep = (field: 'authority' | 'persons', decision: string | null) =>
      incident[field] === decision && decision === 'not-needed' ? incident[`${field}_at`] : undefined
    const notices = {
      authority: authority ?? null,
      authority_at: keep('authority', authority ?? null) ?? timeOf('authorityAt', authority, authorityAt),
      persons: persons ?? null,
      persons_at: keep('persons', persons ?? null) ?? timeOf('personsAt', persons, personsAt),
    }
    await updateNotices(tx.db, id, notices)
    await recordAudit(tx, {
      action: 'incident.update',
      subject: { type: 'incident', id },
      changes: listChanges({ ...incident }, { ...incident, ...notices }, [
        'authority',
        'authority_at',
        'persons',
        'persons_at',
      ]),
    })
    return getIncident(tx, id)
  })
}

const reasonSchema = z.object({ reason: requiredText('Motivul', LIMITS.shortText) })

/**
 * Closes an incident with a reason, for administrators. Throws CONFLICT on another version, if it is closed, and as long as
 * nothing is recorded about the notices to the authority and to the persons.
 */
export function closeIncident(
  ctx: UserCtx,
  { id, version, ...input }: { id: string; version: number; reason: string },
): Promise<IncidentRow> {
  if (!canManageIncidents(ctx.actor)) throw forbidden('close incident')
  const { reason } = parseInput(reasonSchema, input)
  return inTransaction(ctx, async (tx) => {
    const incident = await getOpenIncident(tx, id)
    if (incident.version !== version) throw conflict('incident')
    if (!incident.authority || !incident.persons)
      throw invalidState(
        'notices not decided',
        'Notează întâi dacă ANSPDCP și persoanele au fost anunțate sau de ce nu trebuie.',
      )
    await updateClosed(tx.db, id, {
      closed_at: tx.now,
      closed_by: tx.actor.id,
      closed_reason: maskCnps(reason),
    })
    await recordAudit(tx, {
      action: 'incident.close',
      subject: { type: 'incident', id },
      changes: { reason: { to: reason } },
    })
    return getIncident(tx, id)
  })
}

/**
 * Opens a closed incident again with a reason, for administrators. The reason and the former end stay as a note. Throws
 * CONFLICT on another version, and if it is open.
 */
export function reopenIncident(
  ctx: UserCtx,
  { id, version, ...input }: { id: string; version: number; reason: string },
): Promise<IncidentRow> {
  if (!canManageIncidents(ctx.actor)) throw forbidden('reopen incident')
  const reason = maskCnps(parseInput(reasonSchema, input).reason)
  return inTransaction(ctx, async (tx) => {
    const incident = await getLockedIncident(tx, id)
    if (!incident.closed_at) throw invalidState('open', 'Incidentul nu este încheiat.')
    if (incident.version !== version) throw conflict('incident')
    await updateClosed(tx.db, id, { closed_at: null, closed_by: null, closed_reason: null })
    await insertNote(tx.db, {
      id: newId(),
      incident_id: id,
      text: `Redeschis: ${reason}\n${describeEnd(incident)}`,
      created_by: tx.actor.id,
      created_at: tx.now,
    })
    await recordAudit(tx, {
      action: 'incident.reopen',
      subject: { type: 'incident', id },
      changes: { reason: { from: incident.closed_reason, to: reason } },
    })
    return getIncident(tx, id)
  })
}

/** Returns the notes of an incident that the actor reads, the oldest first. */
export const listNotes = ({ db }: UserCtx, { id }: IncidentRow): Promise<NoteRow[]> => selectNotes(db, id)

/** Returns the requests to delete of an incident that the actor reads. */
export const listRequestsOf = ({ db }: UserCtx, { id }: IncidentRow): Promise<IncidentRequestRow[]> =>
  selectRequestsOfIncident(db, id)
