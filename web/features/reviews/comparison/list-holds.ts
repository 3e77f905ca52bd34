import { type ComparedFact, type Hold, isReadInPart } from '../../../../shared/uploads/holds.ts'
import { describeFileFields, describeUnreadable } from '../../preview/file-status.ts'
import type { Upload } from '../upload.queries.ts'

/** Returns what the server's gate will hold the upload for, as far as the page knows. */
export function listHolds(
  { comparison, files }: Pick<Upload, 'comparison' | 'files'>,
  openedIds: ReadonlySet<string>,
): Hold[] {
  const names = new Map(files.map(({ id, name }) => [id, name]))
  const disagreeing = (comparison?.lines ?? []).flatMap(({ what, disagreeing }) =>
    disagreeing.flatMap(({ value, fileIds }) =>
      fileIds.map((fileId) => ({
        kind: 'disagrees' as const,
        what: what as ComparedFact,
        value,
        fileId,
        fileName: names.get(fileId) ?? '',
      })),
    ),
  )
  const ofFiles = (kind: Exclude<Hold['kind'], 'disagrees'>, held: Upload['files']) =>
    held.map(({ id, name }) => ({ kind, fileId: id, fileName: name }))
  return [
    ...disagreeing,
    ...ofFiles(
      'unreadable',
      files.filter((file) => describeUnreadable(file) !== null),
    ),
    ...ofFiles(
      'unread',
      files.filter((file) => isReadInPart(describeFileFields(file))),
    ),
    ...ofFiles(
      'unopened',
      files.filter(({ id }) => !openedIds.has(id)),
    ),
  ]
}
