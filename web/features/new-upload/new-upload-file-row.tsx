import type { ReactNode } from 'react'
import { formatBytes } from '../../../shared/romania/romanian.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { FileIcon, type FileKind } from '../../ui/icons/file-icon.tsx'
import type { NewUploadFile } from './new-upload-file.ts'

export interface NewUploadFileRowProps {
  file: NewUploadFile
  /** Something to know about the file: that the patient has it already. */
  note?: ReactNode
  onPause: () => void
  onResume: () => void
  onRetry: () => void
  /** Without it, the file stays. */
  onRemove?: (() => void) | undefined
}

/** A chosen file on its way: where it is, and what can be done about it. */
export function NewUploadFileRow({
  file,
  note,
  onPause,
  onResume,
  onRetry,
  onRemove,
}: NewUploadFileRowProps) {
  const { name, size, status, done } = file
  const canPause = status === 'waiting' || status === 'sending' || status === 'retrying'
  const bar = BARS[status]
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 py-2">
      <FileIcon kind={kindOfName(name)} fileName={name} size={32} />
      <div className="min-w-0">
        <p className={classNames('truncate font-medium', status === 'skipped' && 'text-muted line-through')}>
          {name}
        </p>
        <p
          className={classNames(
            'flex flex-wrap items-center gap-x-2 text-sm tabular-nums',
            status === 'failed' ? 'text-danger' : 'text-muted',
          )}
        >
          {status === 'sent' && <Icon name="check-circle" size={16} className="text-success" />}
          {status === 'failed' && <Icon name="important" size={16} />}
          <span>{describe(file)}</span>
        </p>
        {bar && (
          <ProgressBar
            className="mt-1.5"
            hideLabel
            label={`${bar} ${name}`}
            value={size === 0 ? 0 : (done / size) * 100}
          />
        )}
        {note && <p className="mt-0.5 text-sm text-warning">{note}</p>}
      </div>
      <div className="flex">
        {canPause && <IconButton icon="pause" label={`Oprește ${name}`} onPress={onPause} />}
        {status === 'paused' && <IconButton icon="play" label={`Continuă ${name}`} onPress={onResume} />}
        {status === 'failed' && (
          <IconButton icon="retry" label={`Încearcă din nou ${name}`} onPress={onRetry} />
        )}
        {onRemove && status !== 'sent' && (
          <IconButton icon="close" label={`Scoate ${name}`} onPress={onRemove} />
        )}
      </div>
    </li>
  )
}

/** What a bar under the file shows, read aloud; without one there is nothing to measure. */
const BARS: Partial<Record<NewUploadFile['status'], string>> = {
  hashing: 'Se calculează amprenta:',
  waiting: 'Așteaptă:',
  sending: 'Se încarcă:',
  paused: 'Oprit:',
  retrying: 'Se reia:',
}

function describe({ status, done, size, reason }: NewUploadFile): string {
  const part = `${formatBytes(done)} din ${formatBytes(size)}`
  switch (status) {
    case 'hashing':
      return `Se calculează amprenta… ${formatBytes(size)}`
    case 'ready':
      return formatBytes(size)
    case 'waiting':
      return `Așteaptă · ${formatBytes(size)}`
    case 'sending':
      return done === size ? `Se verifică la server… ${formatBytes(size)}` : part
    case 'paused':
      return `Oprit · ${part}`
    case 'retrying':
      return `Legătura s-a întrerupt, continuă singur · ${part}`
    case 'sent':
      return `A ajuns · ${formatBytes(size)}`
    case 'failed':
      return reason ?? 'Nu s-a încărcat.'
    case 'skipped':
      return reason ?? 'Nu se încarcă.'
  }
}

const KINDS: readonly [RegExp, FileKind][] = [
  [/\.pdf$/i, 'pdf'],
  [/\.(jpe?g|png)$/i, 'image'],
  [/\.zip$/i, 'zip'],
  [/\.(dcm|dicom)$/i, 'dicom'],
]

/** What a name promises; what is inside, the server finds out. */
const kindOfName = (name: string): FileKind => KINDS.find(([ending]) => ending.test(name))?.[1] ?? 'other'
