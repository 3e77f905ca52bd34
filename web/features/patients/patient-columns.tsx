import { formatPhone } from '../../../shared/romania/phone.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import type { RowReason } from '../../lists/search-reasons.queries.ts'
import { SearchReason } from '../../lists/search-reasons.tsx'
import type { Column } from '../../ui/page/table.tsx'
import type { PatientRow } from './patients.queries.ts'

export const TOO_MANY_PATIENTS =
  'Sunt prea mulți pacienți cu aceste cifre ca să-i arătăm pe toți. Scrie mai multe cifre.'

/** The columns of a list of patients for staff, with why a search found each. */
export const patientColumns = (reasons: readonly RowReason[] | undefined): readonly Column<PatientRow>[] => [
  {
    id: 'name',
    header: 'Nume și prenume',
    kind: 'title',
    cell: ({ id, name }) => (
      <>
        {name}
        <SearchReason rowId={id} reasons={reasons} />
      </>
    ),
    className: 'lg:w-56 lg:@5xl/table:w-88',
  },
  {
    id: 'cnp',
    header: 'CNP',
    cell: ({ cnpMasked }) => cnpMasked,
    className: 'w-40 whitespace-nowrap tabular-nums',
  },
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
  { id: 'locality', header: 'Localitate', cell: ({ locality }) => locality, className: 'max-sm:hidden' },
  {
    id: 'number',
    header: 'Nr.',
    align: 'end',
    cell: ({ number }) => number,
    className: 'w-28 tabular-nums max-sm:hidden',
  },
]
