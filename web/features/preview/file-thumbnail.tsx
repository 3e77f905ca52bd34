import { useState } from 'react'
import type { FileKind } from '../../../shared/uploads/files.ts'
import { FileIcon } from '../../ui/icons/file-icon.tsx'
import { thumbnailAddress } from './preview-controls.ts'

/**
 * A small picture of the file's first page, or its icon where there is none. Both have the same square box, so that
 * the list does not move when pictures arrive.
 */
export function FileThumbnail({
  file: { id, name, kind, hasThumbnail },
}: {
  file: { id: string; name: string; kind: FileKind; hasThumbnail: boolean | null }
}) {
  const [isFailed, setFailed] = useState(false)
  return (
    <span className="grid size-9 shrink-0 place-items-center">
      {hasThumbnail && !isFailed ? (
        <img
          src={thumbnailAddress({ id })}
          alt={`miniatură: ${name}`}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
          className="max-h-9 max-w-9 rounded-xs border border-line bg-white"
        />
      ) : (
        <FileIcon kind={kind} fileName={name} size={28} />
      )}
    </span>
  )
}
