import type { ReactNode } from 'react'
import { formatBytes } from '../../../shared/romania/romanian.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { Icon } from '../../ui/base/icon.tsx'
import type { ReceivedFile } from './engine/transfers/resume-plan.ts'

/** The files of an upload that the server has whole; `noteOf`: what is shown under a file. */
export function ReceivedFiles({
  files,
  noteOf,
  onRemove,
}: {
  files: readonly ReceivedFile[]
  noteOf?: (file: ReceivedFile) => ReactNode
  /** undefined: no file can be removed. */
  onRemove?: ((file: ReceivedFile) => void) | undefined
}) {
  if (files.length === 0) return null
  return (
    <ul className="grid gap-3">
      {files.map((file) => (
        <li key={file.id} className="flex items-start gap-2 text-sm">
          <Icon name="check-circle" size={18} className="mt-px text-success" />
          <div className="min-w-0 flex-1">
            <p className="flex gap-2">
              <span className="min-w-0 truncate">{file.name}</span>
              <span className="shrink-0 text-muted">{formatBytes(file.size)}</span>
            </p>
            {noteOf?.(file)}
          </div>
          {onRemove && (
            <IconButton icon="close" label={`Scoate ${file.name}`} onPress={() => onRemove(file)} />
          )}
        </li>
      ))}
    </ul>
  )
}
