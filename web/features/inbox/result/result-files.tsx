import { type RefObject, useState } from 'react'
import { isAccepted } from '../../../../shared/uploads/files.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { DownloadLink } from '../../preview/download-link.tsx'
import { FilePreview } from '../../preview/file-preview.tsx'
import { FileTabs } from '../../preview/file-tabs.tsx'
import { archiveAddress, downloadAddress, type PreviewControls } from '../../preview/preview-controls.ts'
import { ToolbarPlace } from '../../preview/toolbar-place.ts'
import type { Result } from '../inbox.queries.ts'

/** The files of a result: a toolbar of one line, and the document in the rest of the screen. */
export function ResultFiles({
  result: { id, files },
  controls,
}: {
  result: Result
  controls: RefObject<PreviewControls | null>
}) {
  const [fileId, setFileId] = useState<string | null>(null)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const selected = files.find((file) => file.id === fileId) ?? files[0]
  if (!selected) return <EmptyState icon="file" title="Rezultatul nu are fișiere" />
  const hasSeveral = files.length > 1
  return (
    <>
      <div className="flex shrink-0 items-center gap-1 border-b border-line bg-surface px-1 py-0.5 sm:px-2 print:hidden">
        <FileTabs files={files} selected={selected} onSelect={setFileId} />
        <div ref={setPlace} className="flex shrink-0 items-center" />
        {isAccepted(selected.scanResult) && (
          <DownloadLink href={downloadAddress(selected)} variant={hasSeveral ? 'quiet' : 'primary'}>
            <span className="max-sm:sr-only">Descarcă</span>
          </DownloadLink>
        )}
        {hasSeveral && (
          <DownloadLink href={archiveAddress(id)} variant="primary" icon="zip">
            <span className="max-sm:sr-only">Descarcă tot</span>
          </DownloadLink>
        )}
      </div>
      <ToolbarPlace value={place}>
        <FilePreview file={selected} ref={controls} className="flex-1" />
      </ToolbarPlace>
    </>
  )
}
