import type { ReactNode } from 'react'
import { formatBytes } from '../../../shared/romania/romanian.ts'
import type { FileKind } from '../../../shared/uploads/files.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { FileIcon } from '../../ui/icons/file-icon.tsx'
import { canPause, canRemove, type NewUploadFile } from './engine/new-upload-file.ts'

export interface NewUploadFileRowProps {
  file: NewUploadFile
  /** What the file says, shown under it. */
  note?: ReactNode
  onPause: () => void
  onResume: () => void
  onRetry: () => void
  /** undefined: the file cannot be removed. */
  onRemove?: (() => void) | undefined
}

/** A chosen file with its progress and the actions on it. */
export function NewUploadFileRow({
  file,
  note,
  onPause,
  onResume,
  onRetry,
  onRemove,
}: NewUploadFileRowProps) {
  const { name, size, status, done } = file
  const barLabel = BAR_LABELS[status]
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 py-2">
      <FileIcon kind={kindOfName(name)} fileName={name} size={32} />
      <div className="min-w-0">
        <p
          className={classNames('truncate font-medium', status === 'duplicate' && 'text-muted line-through')}
        >
          {name}
        </p>
        <p
          className={classNames(
            'flex flex-wrap items-center gap-x-2 text-sm tabular-nums',
            TEXT_COLOURS[status] ?? 'text-muted',
          )}
        >
          {status === 'sent' && <Icon name="check-circle" size={16} className="text-success" />}
          {(status === 'failed' || status === 'kept') && <Icon name="important" size={16} />}
          <span>{describe(file)}</span>
        </p>
        {barLabel && (
          <ProgressBar
            className="mt-1.5"
            hideLabel
            label={`${barLabel} ${name}`}
            value={size === 0 ? 0 : (done / size) * 100}
          />
        )}
      </div>
      <div className="flex">
        {canPause(file) && <IconButton icon="pause" label={`Oprește ${name}`} onPress={onPause} />}
        {status === 'paused' && <IconButton icon="play" label={`Continuă ${name}`} onPress={onResume} />}
        {status === 'failed' && (
          <IconButton icon="retry" label={`Încearcă din nou ${name}`} onPress={onRetry} />
        )}
        {onRemove && canRemove(file) && (
          <IconButton icon="close" label={`Scoate ${name}`} onPress={onRemove} />
        )}
      </div>
      {note && <div className="col-span-2 col-start-2">{note}</div>}
    </li>
  )
}

const TEXT_COLOURS: Partial<Record<NewUploadFile['status'], string>> = {
  failed: 'text-danger',
  kept: 'text-warning',
}

/** The label of the progress bar for screen readers; a status without a label has no bar. */
const BAR_LABELS: Partial<Record<NewUploadFile['status'], string>> = {
  hashing: 'Se calculează amprenta:',
  waiting: 'Așteaptă:',
  connecting: 'Se conectează:',
  sending: 'Se încarcă:',
  paused: 'Oprit:',
  retrying: 'Se reia:',
  removing: 'Se scoate:',
}

function describe({ status, done, size, reason }: NewUploadFile): string {
  const received = `${formatBytes(done)} din ${formatBytes(size)}`
  switch (status) {
    case 'hashing':
      return `Se calculează amprenta… ${formatBytes(size)}`
    case 'ready':
      return formatBytes(size)
    case 'waiting':
      return `Așteaptă · ${formatBytes(size)}`
    case 'connecting':
      return `${reason ?? 'Se conectează…'} · ${received}`
    case 'sending':
      return done === size ? `Se verifică la server… ${formatBytes(size)}` : received
    case 'paused':
      return `Oprit · ${received}`
    case 'retrying':
      return `Legătura s-a întrerupt, continuă singur · ${received}`
    case 'sent':
      return `A ajuns · ${formatBytes(size)}`
    case 'removing':
      return `Se scoate… ${reason ?? ''}`
    case 'kept':
      return reason ?? 'A ajuns la server.'
    case 'failed':
      return reason ?? 'Nu s-a încărcat.'
    case 'duplicate':
      return reason ?? 'Nu se încarcă.'
  }
}

const KINDS: readonly [RegExp, FileKind][] = [
  [/\.pdf$/i, 'pdf'],
  [/\.(jpe?g|png)$/i, 'image'],
  [/\.zip$/i, 'zip'],
  [/\.(dcm|dicom)$/i, 'dicom'],
]

/** For the icon only: the server recognises the type by the content. */
const kindOfName = (name: string): FileKind => KINDS.find(([ending]) => ending.test(name))?.[1] ?? 'other'
