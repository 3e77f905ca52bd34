import { type ReactNode, useEffect, useRef } from 'react'
import { counted, formatBytes } from '../../../shared/romania/romanian.ts'
import { isAccepted } from '../../../shared/uploads/files.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { FileIcon } from '../../ui/icons/file-icon.tsx'
import { DownloadLink } from './download-link.tsx'
import { FilePreview } from './file-preview.tsx'
import { describeFindings, describeRejection, describeScan } from './file-status.ts'
import { FileThumbnail } from './file-thumbnail.tsx'
import { downloadAddress, type OnShown, type PreviewFile, type ViewerProps } from './preview-controls.ts'

/** Previews one file of an upload, with buttons for the others. Fills its container. */
export function FilesPanel({
  files,
  selected,
  onSelect,
  seen,
  actions,
  onShown,
  controls,
  marks,
  target,
  className,
}: {
  files: readonly PreviewFile[]
  selected: PreviewFile
  onSelect: (id: string) => void
  /** The ids of files that have been shown, which are marked; without it no file is marked. */
  seen?: ReadonlySet<string> | undefined
  /** Actions beside the download of the file: the download of all files. */
  actions?: ReactNode
  onShown?: OnShown | undefined
  controls?: ViewerProps['ref']
  className?: string | undefined
} & Pick<ViewerProps, 'marks' | 'target'>) {
  const isOpenable = isAccepted(selected.scanResult)
  return (
    <div
      className={classNames(
        'flex min-h-0 min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface',
        className,
      )}
    >
      {files.length > 1 && <FileChoice files={files} selected={selected} onSelect={onSelect} seen={seen} />}
      <div className="flex shrink-0 items-center justify-between gap-2 border-b border-line py-1.5 pr-2 pl-3">
        <span className="flex min-w-0 flex-1 items-center gap-2.5">
          <FileIcon kind={selected.kind} fileName={selected.name} size={28} />
          <span className="min-w-0">
            <span className="block truncate text-sm font-medium" data-tooltip-cut>
              {selected.name}
            </span>
            <span className="block text-xs text-muted">{describeFile(selected)}</span>
          </span>
        </span>
        <span className="flex shrink-0 gap-1">
          {isOpenable && (
            <DownloadLink href={downloadAddress(selected)} variant="quiet">
              <span className="max-sm:sr-only">Descarcă</span>
            </DownloadLink>
          )}
          {actions}
        </span>
      </div>
      <FilePreview
        file={selected}
        onShown={onShown}
        marks={marks}
        target={target}
        ref={controls}
        className="flex-1"
      />
    </div>
  )
}

function describeFile(file: PreviewFile): string {
  const { size, pageCount } = file
  const pages = pageCount === null ? [] : [counted(pageCount, 'pagină', 'pagini')]
  return [formatBytes(size), ...pages, describeScan(file) ?? []].flat().join(' · ')
}

function FileChoice({
  files,
  selected,
  onSelect,
  seen,
}: Pick<Parameters<typeof FilesPanel>[0], 'files' | 'selected' | 'onSelect' | 'seen'>) {
  const list = useRef<HTMLUListElement>(null)
  const hasThumbnails = files.some(({ hasThumbnail }) => hasThumbnail)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the selected file whenever the selection changes
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [selected.id])
  return (
    <ul
      ref={list}
      aria-label="Fișiere"
      // The end fades out, so that it is seen that the row goes on.
      className="flex shrink-0 gap-1 overflow-x-auto border-b border-line bg-sunken py-1.5 pr-8 pl-1.5 mask-r-from-[calc(100%-2rem)]"
    >
      {files.map((file, index) => (
        <li key={file.id} className="max-w-56 min-w-0 shrink-0">
          <button
            type="button"
            aria-current={file.id === selected.id || undefined}
            data-tooltip-cut
            onClick={() => onSelect(file.id)}
            className={classNames(
              'hit-area flex w-full items-center gap-2 rounded-md border px-2.5 text-start text-sm transition-colors',
              file.id === selected.id
                ? 'border-line-strong/60 bg-surface font-medium'
                : 'border-transparent text-muted hover:bg-hover hover:text-ink',
            )}
          >
            {hasThumbnails && <FileThumbnail file={{ hasThumbnail: null, ...file }} />}
            <span className="tabular-nums">{index + 1}.</span>
            <span className="min-w-0 truncate">{file.name}</span>
            <FileMark file={file} isSeen={seen?.has(file.id) ?? false} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function FileMark({ file, isSeen }: { file: PreviewFile; isSeen: boolean }) {
  if (describeRejection(file))
    return <Icon name="shield-alert" size={16} label="oprit" className="text-danger" />
  if (describeFindings(file).length > 0)
    return <Icon name="warning" size={16} label="cu avertisment" className="text-warning" />
  return isSeen ? <Icon name="eye" size={16} label="văzut" className="text-muted" /> : null
}
