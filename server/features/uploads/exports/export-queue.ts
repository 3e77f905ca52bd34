import { z } from 'zod'
import { maskCnp } from '../../../../shared/romania/cnp.ts'
import { momentFormat } from '../../../../shared/romania/moment.ts'
import { nameFromSlug, SLUG_PATTERN } from '../../../../shared/uploads/categories.ts'
import { LATE_NAMES } from '../../../../shared/uploads/turnaround.ts'
import {
  TURNAROUND_STEPS,
  UPLOAD_SENDERS,
  UPLOAD_STATES,
} from '../../../../shared/uploads/upload-state-list.ts'
import { UPLOAD_SENDER_NAMES, UPLOAD_STATE_NAMES } from '../../../../shared/uploads/upload-states.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { parseInput } from '../../../validation.ts'
import { describeSearch } from '../../audit/describe-search.ts'
import { type CsvExport, exportList, UNKNOWN_FILTER } from '../../audit/exports/export-list.ts'
import { openQueue } from '../list-uploads.ts'
import { canReview } from '../uploads.access.ts'

const HEADINGS = [
  'Stare',
  'De când',
  'Număr',
  'Titlu',
  'Pacient',
  'CNP',
  'Categorie',
  'Instituție',
  'Fișiere',
  'Încărcată de',
]

const text = z.string({ error: UNKNOWN_FILTER }).nullish()
const filterSchema = z.strictObject(
  {
    states: z.array(z.enum(UPLOAD_STATES, { error: UNKNOWN_FILTER }), { error: UNKNOWN_FILTER }).nullish(),
    // No free text, since the audit log keeps it.
    category: z.string({ error: UNKNOWN_FILTER }).regex(SLUG_PATTERN, UNKNOWN_FILTER).nullish(),
    institutionId: z.uuid({ error: UNKNOWN_FILTER }).nullish(),
    mine: z.boolean({ error: UNKNOWN_FILTER }).nullish(),
    since: text,
    until: text,
    unopened: z.boolean({ error: UNKNOWN_FILTER }).nullish(),
    late: z.enum(TURNAROUND_STEPS, { error: UNKNOWN_FILTER }).nullish(),
    sender: z.enum(UPLOAD_SENDERS, { error: UNKNOWN_FILTER }).nullish(),
    search: text,
  },
  { error: UNKNOWN_FILTER },
)

/** Returns the queue with this filter as a CSV file with the columns of its screen, for reviewers. */
export async function exportQueue(ctx: UserCtx, input: unknown): Promise<CsvExport> {
  if (!canReview(ctx.actor)) throw forbidden('export the queue')
  const filter = parseInput(filterSchema, input)
  const { states, category, institutionId, mine, since, until, unopened, sender, late, search } = filter
  const stated = {
    state: states?.map((state) => UPLOAD_STATE_NAMES[state]),
    category_slug: category,
    institution_id: institutionId,
    mine,
    from: since,
    to: until,
    unopened,
    sender: sender && UPLOAD_SENDER_NAMES[sender],
    late: late && LATE_NAMES[late],
  }
  return exportList(ctx, {
    action: 'upload.export',
    readAction: 'upload.list',
    filter: {
      ...Object.fromEntries(Object.entries(stated).flatMap(([name, to]) => (to ? [[name, { to }]] : []))),
      ...describeSearch(search ?? '').changes,
    },
    headings: HEADINGS,
    ...(await openQueue(ctx, filter)),
    describe: (row) => [
      UPLOAD_STATE_NAMES[row.state],
      momentFormat().format(row.state_since),
      String(row.number),
      row.title,
      row.patient_id ? `${row.patient_surname} ${row.patient_given_names}` : '',
      row.patient_cnp ? maskCnp(row.patient_cnp) : '',
      row.category_name ?? nameFromSlug(row.category_slug ?? ''),
      row.institution_name ?? '',
      String(row.file_count ?? 0),
      row.author_name ?? '',
    ],
  })
}
