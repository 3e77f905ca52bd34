import { formatPhone } from '../../../shared/romania/phone.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import type { Column } from '../../ui/page/table.tsx'
import type { PatientRow } from './patients.queries.ts'

/** The columns of a list of patients for staff. */
export const PATIENT_COLUMNS: readonly Column<PatientRow>[] = [
  { id: 'name', header: 'Nume și prenume', kind: 'title', cell: ({ name }) => name },
  { id: 'cnp', header: 'CNP', cell: ({ cnpMasked }) => cnpMasked, className: 'w-40 tabular-nums' },
  {
    id: 'birthDate',
    header: 'Data nașterii',
    cell: ({ birthDate }) => birthDate && formatDate(birthDate),
    className: 'w-32 tabular-nums',
  },
  {
    id: 'phone',
    header: 'Telefon',
    cell: ({ phone }) => phone && formatPhone(phone),
    className: 'w-36 whitespace-nowrap tabular-nums',
  },
  { id: 'locality', header: 'Localitate', cell: ({ locality }) => locality },
  { id: 'number', header: 'Nr.', align: 'end', cell: ({ number }) => number, className: 'w-20 tabular-nums' },
]
