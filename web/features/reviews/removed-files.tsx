import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import type { Upload } from './upload.queries.ts'
import { useRestoreFile } from './use-restore-file.ts'

/** Lists removed files that are still kept; renders nothing if there are none. */
export function RemovedFiles({
  files,
  canRestore,
  onRestored,
}: {
  files: Upload['removedFiles']
  canRestore: boolean
  /** Called with the version of the upload after the restore. */
  onRestored: (version: number) => void
}) {
  const restore = useRestoreFile()
  if (files.length === 0) return null
  return (
    <Card title="Fișiere eliminate" flush>
      <ul>
        {files.map((file) => (
          <li
            key={file.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 sm:px-5"
          >
            <div className="min-w-0 flex-1 basis-48 text-sm">
              <p className="font-medium break-words">{file.name}</p>
              <p className="break-words">{file.reason}</p>
              <p className="text-muted">
                {[file.removedByName, file.removedAt && formatDateTime(file.removedAt)]
                  .filter(Boolean)
                  .join(', ')}
              </p>
            </div>
            {canRestore && (
              <Button
                icon="undo"
                aria-label={`Repune: ${file.name}`}
                onPress={() => void restore(file).then((version) => version !== null && onRestored(version))}
              >
                Repune
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
