import { INSTITUTION_KIND_NAMES } from '../../../shared/institutions.ts'
import { formatPhone } from '../../../shared/romania/phone.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { describeSearch } from '../audit/describe-search.ts'
import { type CsvExport, exportList, readSearchFilter } from '../audit/exports/export-list.ts'
import { institutionScope } from './institutions.access.ts'
import { openInstitutions } from './list-institutions.ts'

const HEADINGS = ['Denumire', 'Cod', 'Tip', 'CUI', 'Localitate', 'Județ', 'Telefon', 'E-mail', 'Stare']

/** Returns the list of institutions with this search as a CSV file, for staff. */
export async function exportInstitutions(ctx: UserCtx, input: unknown): Promise<CsvExport> {
  if (institutionScope(ctx.actor).kind !== 'all') throw forbidden('export institutions')
  const search = readSearchFilter(input)
  return exportList(ctx, {
    action: 'institution.export',
    readAction: 'institution.list',
    filter: describeSearch(search).changes,
    headings: HEADINGS,
    ...openInstitutions(ctx, { search, open: false }),
    describe: ({ name, code, kind, cui, locality, county, phone, email, suspended_at }) => [
      name,
      code,
      INSTITUTION_KIND_NAMES[kind],
      cui ?? '',
      locality ?? '',
      county ?? '',
      phone ? formatPhone(phone) : '',
      email ?? '',
      suspended_at ? 'Suspendată' : 'Activă',
    ],
  })
}
