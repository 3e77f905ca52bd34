import { useEffect, useRef } from 'react'
import { classNames } from '../../ui/base/class-names.ts'
import { FileIcon } from '../../ui/icons/file-icon.tsx'
import { cutFileName } from './cut-file-name.ts'
import type { PreviewFile } from './preview-controls.ts'

/** The files of a result in one line; one file alone is a name. A name is cut in its middle where it has no room. */
export function FileTabs({
  files,
  selected,
  onSelect,
}: {
  files: readonly PreviewFile[]
  selected: PreviewFile
  onSelect: (id: string) => void
}) {
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the selected file whenever the selection changes
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [selected.id])
  if (files.length === 1) {
    return (
      <span
        className="flex min-w-0 flex-1 items-center gap-2 px-1.5 text-sm font-medium"
        data-tooltip={selected.name}
      >
        <FileIcon kind={selected.kind} fileName={selected.name} size={22} />
        <CutName name={selected.name} />
      </span>
    )
  }
  return (
    <ul ref={list} aria-label="Fișiere" className="flex min-w-0 flex-1 gap-1 overflow-x-auto p-1">
      {files.map((file) => (
        <li key={file.id} className="max-w-60 min-w-36 shrink">
          <button
            type="button"
            aria-label={file.name}
            data-tooltip={file.name}
            aria-current={file.id === selected.id || undefined}
            onClick={() => onSelect(file.id)}
            className={classNames(
              'hit-area flex w-full items-center gap-2 rounded-md border px-2 text-start text-sm transition-colors',
              file.id === selected.id
                ? 'border-line-strong/60 bg-canvas font-medium'
                : 'border-transparent text-muted hover:bg-hover hover:text-ink',
            )}
          >
            <FileIcon kind={file.kind} fileName={file.name} size={20} />
            <CutName name={file.name} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function CutName({ name }: { name: string }) {
  const [start, end] = cutFileName(name)
  return (
    <span className="flex min-w-0">
      <span className="truncate whitespace-pre">{start}</span>
      <span className="shrink-0 whitespace-pre">{end}</span>
    </span>
  )
}
