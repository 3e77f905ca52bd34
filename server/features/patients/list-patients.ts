import { parseCnp } from '../../../shared/cnp.ts'
import { queryWords } from '../../../shared/names.ts'
import { parsePhone } from '../../../shared/phone.ts'
import type { UserCtx } from '../../context.ts'
import {
  type Page,
  type PageRequest,
  parsePage,
  readSearch,
  type SearchArgs,
  toPage,
} from '../../graphql/connections.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { patientScope } from './patients.access.ts'
import {
  type PatientRow,
  selectNewestPatients,
  selectPatientByCnp,
  selectPatientsByDigits,
  selectPatientsByName,
} from './patients.db.ts'

/** Fewer digits would match nearly everybody. */
const DIGITS_FOR_SEARCH = 3

/**
 * The patients that the actor may see: newest first, or those whose name, CNP (also a part of it), phone (in any form) or
 * number answers `search`, in the order of names. The journal keeps which were shown.
 */
export async function listPatients(ctx: UserCtx, args: SearchArgs): Promise<Page<PatientRow>> {
  const search = readSearch(args.search)
  const request = parsePage(args, 2)
  const page =
    search === ''
      ? toPage(
          await selectNewestPatients(ctx.db, patientScope(ctx.actor), request),
          request,
          ({ created_at, id }) => [created_at.toISOString(), id],
        )
      : toPage(await searchPatients(ctx, search, request), request, ({ name_key, id }) => [name_key, id])
  await recordAudit(ctx, { action: 'patient.list', subjectIds: page.nodes.map(({ id }) => id) })
  return page
}

/** Those who answer a text, and one more than asked for where there are more. Leaves no trace: the caller tells the journal. */
export async function searchPatients(
  ctx: UserCtx,
  search: string,
  request: PageRequest,
): Promise<PatientRow[]> {
  const scope = patientScope(ctx.actor)
  const query = readQuery(search)
  if (query.kind === 'nothing') return []
  if (query.kind === 'digits') return selectPatientsByDigits(ctx.db, scope, query, request)
  return selectPatientsByName(ctx.db, scope, query.text, request)
}

type Query =
  | { kind: 'nothing' }
  | { kind: 'digits'; digits: string; phone: string | null }
  | { kind: 'name'; text: string }

function readQuery(search: string): Query {
  if (/^[\d\s.()/+-]+$/.test(search)) {
    const digits = search.replace(/\D/g, '')
    if (digits.length < DIGITS_FOR_SEARCH) return { kind: 'nothing' }
    const phone = parsePhone(search)
    return { kind: 'digits', digits, phone: phone.ok ? phone.e164 : null }
  }
  return queryWords(search).length === 0 ? { kind: 'nothing' } : { kind: 'name', text: search }
}

/** The patient who already has this CNP, so that nobody is entered twice; null where there is none or it is not valid. */
export async function findPatientByCnp(ctx: UserCtx, text: string): Promise<PatientRow | null> {
  const cnp = parseCnp(text)
  if (!cnp.ok) return null
  const patient = await selectPatientByCnp(ctx.db, patientScope(ctx.actor), cnp.cnp)
  await recordAudit(ctx, { action: 'patient.list', subjectIds: patient ? [patient.id] : [] })
  return patient ?? null
}
