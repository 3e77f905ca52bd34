import { type Insertable, sql } from 'kysely'
import type { IncidentNotice } from '../../../shared/incidents/incidents.ts'
import type { Db } from '../../platform/database/database.ts'
import { startOfDay } from '../../platform/database/days.sql.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'

const incidents = (db: Db) =>
  db
    .selectFrom('incident')
    .innerJoin('upload', 'upload.id', 'incident.upload_id')
    .innerJoin('patient as former', 'former.id', 'incident.former_patient_id')
    .innerJoin('patient as rightful', 'rightful.id', 'incident.patient_id')
    .innerJoin('app_user as mover', 'mover.id', 'incident.moved_by')
    .leftJoin('app_user as closer', 'closer.id', 'incident.closed_by')
    .leftJoin('institution', 'institution.id', 'incident.former_institution_id')
    .selectAll('incident')
    .select([
      'upload.number as upload_number',
      'former.number as former_number',
      sql<string>`former.surname || ' ' || former.given_names`.as('former_name'),
      'rightful.number as patient_number',
      sql<string>`rightful.surname || ' ' || rightful.given_names`.as('patient_name'),
      'mover.name as moved_by_name',
      'closer.name as closed_by_name',
      'institution.name as former_institution_name',
    ])

export type IncidentRow = NonNullable<Awaited<ReturnType<typeof selectIncident>>>

export const selectIncident = (db: Db, id: string) =>
  incidents(db).where('incident.id', '=', id).executeTakeFirst()

/** Returns the incidents, the newest first; with `open` only those that are or are not closed. */
export const selectIncidents = (db: Db, open: boolean | null, page: PageRequest): Promise<IncidentRow[]> =>
  keyset(
    incidents(db).$if(open !== null, (query) =>
      query.where('incident.closed_at', open ? 'is' : 'is not', null),
    ),
    { by: { 'incident.moved_at': 'timestamptz', 'incident.id': 'uuid' }, direction: 'desc' },
    page,
  ).execute()

export const selectIncidentsOfUpload = (db: Db, uploadId: string) =>
  incidents(db).where('incident.upload_id', '=', uploadId).orderBy('incident.moved_at', 'desc').execute()

export const insertIncident = (db: Db, incident: Insertable<DB['incident']>) =>
  db.insertInto('incident').values(incident).execute()

/** Locks the incident until the transaction ends. */
export const lockIncident = (db: Db, id: string) =>
  db.selectFrom('incident').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

export const updateNotices = (
  db: Db,
  id: string,
  notices: {
    authority: IncidentNotice | null
    authority_at: Date | null
    persons: IncidentNotice | null
    persons_at: Date | null
  },
) =>
  db
    .updateTable('incident')
    .set((eb) => ({ ...notices, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

export const updateClosed = (
  db: Db,
  id: string,
  closed: { closed_at: Date | null; closed_by: string | null; closed_reason: string | null },
) =>
  db
    .updateTable('incident')
    .set((eb) => ({ ...closed, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

export const insertNote = (db: Db, note: Insertable<DB['incident_note']>) =>
  db.insertInto('incident_note').values(note).execute()

export const selectNotes = (db: Db, incidentId: string) =>
  db
    .selectFrom('incident_note')
    .innerJoin('app_user', 'app_user.id', 'incident_note.created_by')
    .select([
      'incident_note.id',
      'incident_note.text',
      'incident_note.created_at',
      'app_user.name as author_name',
    ])
    .where('incident_id', '=', incidentId)
    .orderBy('incident_note.created_at')
    .orderBy('incident_note.id')
    .execute()

export type NoteRow = Awaited<ReturnType<typeof selectNotes>>[number]

/** Returns when the day began in Romania. */
export const selectDayStart = async (db: Db, day: string): Promise<Date> =>
  (await db.selectNoFrom(startOfDay(day).as('start')).executeTakeFirstOrThrow()).start
