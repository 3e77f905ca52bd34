import type { IntakeFacts } from '../../../shared/integrations.ts'
import type { Db } from '../../platform/database/database.ts'

/** Selects what was received with this key. */
export const selectIntake = (db: Db, integrationId: string, key: string) =>
  db
    .selectFrom('intake')
    .select(['id', 'sha256', 'size', 'facts', 'upload_id', 'file_id'])
    .where('integration_id', '=', integrationId)
    .where('key', '=', key)
    .executeTakeFirst()

export type IntakeRow = NonNullable<Awaited<ReturnType<typeof selectIntake>>>

export const insertIntake = (
  db: Db,
  { facts, ...row }: Omit<IntakeRow, 'facts'> & { facts: IntakeFacts; integration_id: string; key: string },
) =>
  db
    .insertInto('intake')
    .values({ ...row, facts: JSON.stringify(facts) as never })
    .execute()

/** Selects the institutions that are not suspended with this id or CUI, at most two: the CUI of several is of none. */
export const selectOpenInstitutions = (db: Db, { id, cui }: { id: string | null; cui: string | null }) =>
  db
    .selectFrom('institution')
    .select('id')
    .where((eb) => (id ? eb('id', '=', id) : eb('cui', '=', cui)))
    .where('suspended_at', 'is', null)
    .orderBy('id')
    .limit(2)
    .execute()
