import type { Hold } from '../../../../shared/reviews/holds.ts'
import type { Upload } from '../upload.queries.ts'

/** Returns what the server's gate will hold the upload for. */
export const listHolds = (
  { comparison, files }: Pick<Upload, 'comparison' | 'files'>,
  openedIds: ReadonlySet<string>,
): Hold[] => [
  ...((comparison?.holds ?? []) as Hold[]),
  ...files
    .filter(({ id }) => !openedIds.has(id))
    .map(({ id, name }) => ({ kind: 'unopened' as const, fileId: id, fileName: name })),
]
