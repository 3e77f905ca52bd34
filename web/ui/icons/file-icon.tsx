import type { FileKind } from '../../../shared/uploads/files.ts'
import { classNames } from '../base/class-names.ts'

const kinds: Record<FileKind, { text: string; name: string; className: string }> = {
  pdf: { text: 'PDF', name: 'document PDF', className: 'fill-danger' },
  image: { text: 'IMG', name: 'imagine', className: 'fill-info' },
  zip: { text: 'ZIP', name: 'arhivă ZIP', className: 'fill-warning' },
  dicom: { text: 'DCM', name: 'imagini DICOM', className: 'fill-success' },
  other: { text: 'DOC', name: 'fișier', className: 'fill-muted' },
}

/** A file icon labelled with the file's extension if it has 2–4 characters, else with its kind. */
export function FileIcon({
  kind,
  fileName = '',
  size = 36,
  className,
}: {
  kind: FileKind
  fileName?: string | undefined
  /** In px. */
  size?: number | undefined
  className?: string | undefined
}) {
  const { text, name, className: colour } = kinds[kind]
  const extension = /\.([a-z0-9]{2,4})$/i.exec(fileName)?.[1]?.toUpperCase()
  return (
    <svg
      viewBox="0 0 36 36"
      width={size}
      height={size}
      role="img"
      aria-label={name}
      className={classNames('shrink-0', className)}
    >
      <path
        d="M9 2.75h12.2c.6 0 1.2.24 1.6.66l6.3 6.3c.42.42.66 1 .66 1.6V30.5A2.75 2.75 0 0 1 27 33.25H9a2.75 2.75 0 0 1-2.75-2.75V5.5A2.75 2.75 0 0 1 9 2.75z"
        className="fill-surface stroke-line-strong"
        strokeWidth="1.25"
      />
      <path
        d="M21.5 3v6.25c0 .7.55 1.25 1.25 1.25h6.25"
        className="fill-none stroke-line-strong"
        strokeWidth="1.25"
      />
      <rect x="2.5" y="16" width="24" height="12" rx="3" className={colour} />
      <text
        x="14.5"
        y="24.9"
        textAnchor="middle"
        fontSize={extension?.length === 4 ? 7 : 8.25}
        fontWeight="700"
        letterSpacing="0.3"
        className="fill-canvas font-sans"
      >
        {extension ?? text}
      </text>
    </svg>
  )
}
