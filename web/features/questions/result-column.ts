import type { Column } from '../../ui/page/table.tsx'
import type { OwnQuestion } from './questions.queries.ts'

/** Names the result that a question is about; only by its number if the reader does not see it any more. */
export const RESULT_COLUMN: Column<Pick<OwnQuestion, 'upload' | 'uploadNumber'>> = {
  id: 'result',
  header: 'Rezultat',
  kind: 'title',
  cell: ({ upload, uploadNumber }) =>
    upload?.patient ? `${upload.patient.name}, ${upload.title}` : `Rezultatul nr. ${uploadNumber}`,
}
