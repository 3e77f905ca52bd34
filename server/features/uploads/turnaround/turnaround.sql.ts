import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TurnaroundStep } from '../../../../shared/uploads/upload-state-list.ts'

const FILED_AT = sql`coalesce(upload.filed_at, upload.created_at)`

/** The minutes that a step of a released upload took; null where an end of it is not known. */
export const STEP_MINUTES: Readonly<Record<TurnaroundStep, RawBuilder<number | null>>> = {
  // Only the day of the examination is known. `greatest` would make 0 of null.
  filing: sql`case when upload.examined_on is not null
    then greatest((${FILED_AT} at time zone 'Europe/Bucharest')::date - upload.examined_on, 0) * 1440 end`,
  release: sql`extract(epoch from upload.state_since - ${FILED_AT}) / 60`,
  opening: sql`case when upload.first_opened_at is not null
    then extract(epoch from greatest(upload.first_opened_at - upload.state_since, interval '0')) / 60 end`,
}

/**
 * Whether the step of a released upload took longer than so many hours. A result that waits longer for its opening is late too,
 * unless it has no institution that could open it.
 */
export const isLate = (step: TurnaroundStep, hours: number, now: Date): RawBuilder<SqlBool> =>
  step === 'opening'
    ? sql`(upload.institution_id is not null and coalesce(upload.first_opened_at, ${now}::timestamptz) - upload.state_since > make_interval(hours => ${hours}::int))`
    : sql`${STEP_MINUTES[step]} > ${hours}::int * 60`
