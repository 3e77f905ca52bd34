import { INSTITUTION_FIGURES } from '../../../../shared/institutions.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden, invalid } from '../../../errors.ts'
import { type PageArgs, parsePage, toPage } from '../../../graphql/connections.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { getInstitution } from '../../institutions/get-institution.ts'
import type { UploadList } from '../list-uploads.ts'
import { canReadInstitutionResults, uploadScope } from '../uploads.access.ts'
import {
  countInstitutionResults,
  selectInstitutionResults,
  selectMedianToOpening,
  selectOldestUnopened,
} from './institution-results.db.ts'

type ResultsArgs = PageArgs & {
  institutionId: string
  days?: number | null | undefined
  olderThan?: number | null | undefined
  opened?: boolean | null | undefined
}

/**
 * Returns the results released to an institution, newest first, for staff: with `days` those of the last days in Romania,
 * today included; with `olderThan` those released so many days ago or earlier; with `opened` those that a user of the institution has opened, or has not. Throws NOT_FOUND for an unknown
 * institution.
 */
export async function listInstitutionResults(ctx: UserCtx, args: ResultsArgs): Promise<UploadList> {
  if (!canReadInstitutionResults(ctx.actor)) throw forbidden('list the results of an institution')
  const request = parsePage(args)
  const filter = {
    days: readDays(args.days, 'days'),
    olderThan: readDays(args.olderThan, 'olderThan'),
    opened: args.opened ?? null,
  }
  const { id } = await getInstitution(ctx, args.institutionId)
  const rows = await selectInstitutionResults(ctx.db, readerOf(ctx), id, filter, request)
  const page = toPage(rows, request, ({ released_at, id }) => [released_at?.toISOString() ?? '', id])
  await recordAudit(ctx, { action: 'upload.list', subjectIds: page.nodes.map(({ id }) => id) })
  return { ...page, reasons: [] }
}

export type InstitutionFigures = {
  /** Counts end at `INSTITUTION_FIGURES.countMax`. */
  released: number
  unopened: number
  oldestUnopenedAt: Date | null
  /** In minutes. */
  medianToOpening: number | null
  medianToOpeningLong: number | null
}

/** Returns the figures of an institution's results, each of which `listInstitutionResults` lists; for staff. */
export async function readInstitutionFigures(
  ctx: UserCtx,
  institutionId: string,
): Promise<InstitutionFigures> {
  if (!canReadInstitutionResults(ctx.actor)) throw forbidden('read the figures of an institution')
  const { id } = await getInstitution(ctx, institutionId)
  const { days, daysLong, countMax } = INSTITUTION_FIGURES
  const reader = readerOf(ctx)
  const count = (filter: { days: number | null; opened: boolean | null }) =>
    countInstitutionResults(ctx.db, reader, id, { ...filter, olderThan: null }, countMax)
  const median = (period: number) => selectMedianToOpening(ctx.db, reader, id, period, countMax)
  const [released, unopened, oldestUnopenedAt, medianToOpening, medianToOpeningLong] = await Promise.all([
    count({ days, opened: null }),
    count({ days: null, opened: false }),
    selectOldestUnopened(ctx.db, reader, id),
    median(days),
    median(daysLong),
  ])
  return { released, unopened, oldestUnopenedAt, medianToOpening, medianToOpeningLong }
}

const readerOf = ({ actor, now }: UserCtx) => ({ scope: uploadScope(actor), readerId: actor.id, now })

/** Returns a number of days within the limits; null without one. Throws BAD_USER_INPUT for any other. */
export function readDays(days: number | null | undefined, field: string): number | null {
  const { daysMax } = INSTITUTION_FIGURES
  if (days === null || days === undefined) return null
  if (days >= 1 && days <= daysMax) return days
  throw invalid([{ field, message: `Perioada are între 1 și ${daysMax} de zile.` }])
}
