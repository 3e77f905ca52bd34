import { type SqlBool, sql } from 'kysely'
import { TURNAROUND_STEPS, type TurnaroundStep } from '../../../../shared/uploads/upload-state-list.ts'
import type { Db } from '../../../platform/database/database.ts'
import { releasedUploads, type UploadFilter } from '../upload-lists.db.ts'
import type { UploadScope } from '../uploads.access.ts'
import { isLate, STEP_MINUTES } from './turnaround.sql.ts'

/** The figures of some released uploads: of a category, of an institution, or of all. */
export type TurnaroundRow = {
  /** The slug of a main category or the id of an institution; null for all uploads, and for those without one. */
  key: string | null
  released: number
  steps: Record<TurnaroundStep, StepFigures>
}
/** `measured`: uploads whose step has ended or is late; the times are those of the ended ones, null without any. */
export type StepFigures = {
  measured: number
  late: number
  medianMinutes: number | null
  ninetiethMinutes: number | null
}

export type TurnaroundGrouping = 'all' | 'category' | 'institution'
const KEYS = {
  all: sql<string | null>`null::text`,
  // A list of a main category has its subcategories too.
  category: sql<string | null>`split_part(coalesce(move.new_slug, upload.category_slug), '::', 1)`,
  institution: sql<string | null>`upload.institution_id::text`,
} as const

/** Groups with figures; the list has the largest. */
const MAX_GROUPS = 50

/** Returns the figures of the released uploads that match the filter, in groups, the largest first. */
export function selectTurnaround(
  db: Db,
  scope: UploadScope,
  filter: UploadFilter,
  grouping: TurnaroundGrouping,
  { targets, now }: { targets: Record<TurnaroundStep, number>; now: Date },
): Promise<TurnaroundRow[]> {
  const columns = TURNAROUND_STEPS.flatMap((step) => [
    sql<number | null>`(${STEP_MINUTES[step]})::double precision`.as(`${step}_minutes`),
    sql<boolean | null>`${isLate(step, targets[step], now)}`.as(`${step}_late`),
  ])
  const measured = releasedUploads(db, scope, filter)
    .leftJoin('category_slug_change as move', (on) =>
      on.onRef('move.old_slug', '=', 'upload.category_slug').on('move.moving', '=', true),
    )
    .select([KEYS[grouping].as('key'), ...columns])
  return db
    .selectFrom(measured.as('result'))
    .select((eb) => [
      'key',
      eb.fn.countAll<number>().as('released'),
      sql<TurnaroundRow['steps']>`jsonb_build_object(${sql.join(
        TURNAROUND_STEPS.flatMap((step) => [sql.lit(step), figuresOf(step)]),
      )})`.as('steps'),
    ])
    .groupBy('key')
    .orderBy('released', 'desc')
    .orderBy('key')
    .limit(MAX_GROUPS)
    .execute()
}

function figuresOf(step: TurnaroundStep) {
  const [minutes, late] = [sql.ref(`${step}_minutes`), sql.ref(`${step}_late`)]
  const percentile = (part: number) =>
    sql`round(percentile_cont(${sql.lit(part)}) within group (order by ${minutes}))::int`
  return sql`jsonb_build_object(
    'measured', count(*) filter (where ${minutes} is not null or ${late}),
    'late', count(*) filter (where ${late}),
    'medianMinutes', ${percentile(0.5)},
    'ninetiethMinutes', ${percentile(0.9)})`
}

/** Returns the names of main categories by slug and the short names of institutions by id. */
export async function selectGroupNames(
  db: Db,
  slugs: readonly string[],
  institutionIds: readonly string[],
): Promise<Map<string, string>> {
  const [categories, institutions] = await Promise.all([
    db
      .selectFrom('category')
      .select(['slug as key', 'name'])
      .where(sql<SqlBool>`slug = any(${slugs}::text[])`)
      .execute(),
    db
      .selectFrom('institution')
      .select((eb) => ['id as key', eb.fn.coalesce('short_name', 'name').as('name')])
      .where(sql<SqlBool>`id = any(${institutionIds}::uuid[])`)
      .execute(),
  ])
  return new Map([...categories, ...institutions].map(({ key, name }) => [key, name]))
}
