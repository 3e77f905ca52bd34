import { dayBefore, dayInRomania } from '../../../../shared/romania/day.ts'
import { nameFromSlug } from '../../../../shared/uploads/categories.ts'
import { TARGET_SETTINGS } from '../../../../shared/uploads/turnaround.ts'
import {
  TURNAROUND_DAYS,
  TURNAROUND_STEPS,
  type TurnaroundStep,
} from '../../../../shared/uploads/upload-state-list.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden, invalid } from '../../../errors.ts'
import { findSite } from '../../site/find-site.ts'
import { readReleasedFilter } from '../list-uploads.ts'
import { canReview, uploadScope } from '../uploads.access.ts'
import {
  type StepFigures,
  selectGroupNames,
  selectTurnaround,
  type TurnaroundGrouping,
  type TurnaroundRow,
} from './turnaround.db.ts'

export type TurnaroundArgs = {
  days: number
  category?: string | null | undefined
  institutionId?: string | null | undefined
}
export type TurnaroundStepFigures = StepFigures & { step: TurnaroundStep; targetMinutes: number }
/** `key`: a slug or the id of an institution; null for uploads without one. */
export type TurnaroundGroup = {
  key: string | null
  name: string | null
  released: number
  steps: TurnaroundStepFigures[]
}
export type Turnaround = {
  since: string
  released: number
  steps: TurnaroundStepFigures[]
  byCategory: TurnaroundGroup[]
  byInstitution: TurnaroundGroup[]
}

const NOTHING: StepFigures = { measured: 0, late: 0, medianMinutes: null, ninetiethMinutes: null }

/** Throws BAD_USER_INPUT unless the period is one of those offered. */
export function requireTurnaroundDays(days: number): void {
  if (!TURNAROUND_DAYS.some((offered) => offered === days))
    throw invalid([{ field: 'days', message: 'Perioada nu este una dintre cele oferite.' }])
}

/**
 * Returns how long the results of the last days took that the reviewer may read, as the queue lists them with the same
 * filter. Names no patient. Throws BAD_USER_INPUT for another number of days than those offered.
 */
export async function readTurnaround(ctx: UserCtx, args: TurnaroundArgs): Promise<Turnaround> {
  if (!canReview(ctx.actor)) throw forbidden('read turn-around times')
  requireTurnaroundDays(args.days)
  const { db, now } = ctx
  const since = dayBefore(dayInRomania(now), args.days - 1)
  const { category, institutionId } = args
  const filter = await readReleasedFilter(ctx, { since, category, institutionId })
  const site = await findSite(db)
  const targets = Object.fromEntries(
    TURNAROUND_STEPS.map((step) => [step, site[TARGET_SETTINGS[step]]]),
  ) as Record<TurnaroundStep, number>
  const select = (grouping: TurnaroundGrouping) =>
    selectTurnaround(db, uploadScope(ctx.actor), filter, grouping, { targets, now })
  const stepsOf = (row: TurnaroundRow | undefined): TurnaroundStepFigures[] =>
    TURNAROUND_STEPS.map((step) => ({
      step,
      targetMinutes: targets[step] * 60,
      ...(row?.steps[step] ?? NOTHING),
    }))
  const [[all], byCategory, byInstitution] = await Promise.all([
    select('all'),
    category ? [] : select('category'),
    institutionId ? [] : select('institution'),
  ])
  const keysOf = (rows: TurnaroundRow[]) => rows.flatMap(({ key }) => (key === null ? [] : [key]))
  const names = await selectGroupNames(db, keysOf(byCategory), keysOf(byInstitution))
  const toGroup = (row: TurnaroundRow, nameOf: (key: string) => string): TurnaroundGroup => ({
    key: row.key,
    name: row.key === null ? null : nameOf(row.key),
    released: row.released,
    steps: stepsOf(row),
  })
  return {
    since,
    released: all?.released ?? 0,
    steps: stepsOf(all),
    byCategory: byCategory.map((row) => toGroup(row, (slug) => names.get(slug) ?? nameFromSlug(slug))),
    byInstitution: byInstitution.map((row) => toGroup(row, (id) => names.get(id) ?? id)),
  }
}
