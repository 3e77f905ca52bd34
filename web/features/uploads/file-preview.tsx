import { lazy, Suspense } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Spinner } from '../../ui/loading.tsx'
import { BlockedFile, NoPreview, ZipContents } from './preview/file-contents.tsx'
import { refusalOf } from './preview/file-facts.ts'
import { ImageViewer } from './preview/image-viewer.tsx'
import type { ViewerProps } from './preview/preview-controls.ts'

/** A PDF is held in memory whole. */
const MAX_PDF = 256 * 1024 ** 2

const PdfViewer = lazy(() => import('./preview/pdf-viewer.tsx'))

/**
 * A file on the screen: a PDF or a picture with pages and zoom, what an archive holds, or the way to open it elsewhere.
 * Fills the box that it is put in, which has a height of its own.
 */
export function FilePreview({ className, ...props }: ViewerProps & { className?: string | undefined }) {
  return (
    <div className={classNames('flex min-h-0 flex-col', className)}>
      <Viewer key={props.file.id} {...props} />
    </div>
  )
}

function Viewer({ file, onShown, ref }: ViewerProps) {
  const refusal = refusalOf(file)
  if (refusal) return <BlockedFile reason={refusal} onShown={onShown} />
  if (file.scanResult === 'pending') {
    return <BlockedFile reason="Controlul automat nu s-a terminat încă." onShown={onShown} />
  }
  if (file.kind === 'pdf' && file.size <= MAX_PDF) {
    return (
      <Suspense fallback={<Spinner className="m-auto text-muted" />}>
        <PdfViewer file={file} onShown={onShown} ref={ref} />
      </Suspense>
    )
  }
  if (file.kind === 'image') return <ImageViewer file={file} onShown={onShown} ref={ref} />
  if (file.kind === 'zip') return <ZipContents file={file} onShown={onShown} />
  return <NoPreview file={file} onShown={onShown} />
}
