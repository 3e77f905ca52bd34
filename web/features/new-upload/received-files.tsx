import { formatBytes } from '../../../shared/romania/romanian.ts'
import { Icon } from '../../ui/base/icon.tsx'
import type { ReceivedFile } from './engine/transfers/resume-plan.ts'

/** The files of an upload that the server has whole. */
export function ReceivedFiles({ files }: { files: readonly ReceivedFile[] }) {
  if (files.length === 0) return null
  return (
    <ul className="grid gap-3">
      {files.map((file) => (
        <li key={file.id} className="flex items-center gap-2 text-sm">
          <Icon name="check-circle" size={18} className="text-success" />
          <span className="min-w-0 truncate">{file.name}</span>
          <span className="shrink-0 text-muted">{formatBytes(file.size)}</span>
        </li>
      ))}
    </ul>
  )
}
