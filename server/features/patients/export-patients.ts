import { maskCnp } from '../../../shared/romania/cnp.ts'
import { formatPhone } from '../../../shared/romania/phone.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { describeSearch } from '../audit/describe-search.ts'
import { type CsvExport, exportList, readSearchFilter } from '../audit/exports/export-list.ts'
import { openPatients } from './list-patients.ts'
import { canEditPatients } from './patients.access.ts'

const HEADINGS = ['Nume și prenume', 'CNP', 'Data nașterii', 'Telefon', 'Localitate', 'Nr.']

/** Returns the list of patients with this search as a CSV file with the columns of its screen, for staff. */
export async function exportPatients(ctx: UserCtx, input: unknown): Promise<CsvExport> {
  if (!canEditPatients(ctx.actor)) throw forbidden('export patients')
  const search = readSearchFilter(input)
  return exportList(ctx, {
    action: 'patient.export',
    readAction: 'patient.list',
    filter: describeSearch(search).changes,
    headings: HEADINGS,
    ...openPatients(ctx, search),
    describe: ({ surname, given_names, cnp, birth_date, phone, locality, number }) => [
      `${surname} ${given_names}`,
      cnp ? maskCnp(cnp) : '',
      birth_date ? formatDate(birth_date) : '',
      phone ? formatPhone(phone) : '',
      locality ?? '',
      String(number),
    ],
  })
}
