import type { ReactNode } from 'react'
import { classNames } from '../../ui/base/class-names.ts'
import type { NewUploadFile } from './engine/new-upload-file.ts'
import type { UploadEngine } from './engine/upload-engine.ts'
import { NewUploadFileRow } from './new-upload-file-row.tsx'

export interface NewUploadFileListProps {
  files: readonly NewUploadFile[]
  engine: UploadEngine
  noteOf?: (file: NewUploadFile) => ReactNode
  /** undefined: no file can be removed. */
  onRemove?: ((id: string) => void) | undefined
  className?: string | undefined
}

/** The chosen files, one row each. */
export function NewUploadFileList({ files, engine, noteOf, onRemove, className }: NewUploadFileListProps) {
  return (
    <ul className={classNames('divide-y divide-line', className)}>
      {files.map((file) => (
        <NewUploadFileRow
          key={file.id}
          file={file}
          note={noteOf?.(file)}
          onPause={() => engine.pause(file.id)}
          onResume={() => engine.resume(file.id)}
          onRetry={() => engine.retry(file.id)}
          onRemove={onRemove && (() => onRemove(file.id))}
        />
      ))}
    </ul>
  )
}
