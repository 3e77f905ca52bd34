import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { holdIdleTasks } from '../../loading/when-idle.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Spinner } from '../../ui/base/loading.tsx'
import { BlockedFile, NoPreview, ZipContents } from './file-contents.tsx'
import { describeRejection } from './file-status.ts'
import { ImageViewer } from './image-viewer.tsx'
import { getPdfViewer, loadPdfViewer } from './load-viewer.ts'
import type { OnShown, ViewerProps } from './preview-controls.ts'

/** A PDF is loaded into memory completely, so a larger one has no preview. */
const MAX_PDF_BYTES = 256 * 1024 ** 2

/**
 * Previews a file: a PDF or image with pages and zoom, the list of an archive, or a download link. Fills its
 * container, which must have a height.
 */
export function FilePreview({ className, ...props }: ViewerProps & { className?: string | undefined }) {
  return (
    <div className={classNames('flex min-h-0 flex-col', className)}>
      <Viewer key={props.file.id} {...props} />
    </div>
  )
}

function Viewer({ file, content, isRead, onShown, marks, target, ref }: ViewerProps) {
  const rejection = describeRejection(file)
  if (rejection) return <BlockedFile reason={rejection} onShown={onShown} />
  if (file.scanResult === 'pending' && !content && !isRead) {
    return <BlockedFile reason="Controlul automat nu s-a terminat încă." onShown={onShown} />
  }
  if (file.kind === 'pdf' && file.size <= MAX_PDF_BYTES) {
    return (
      <LoadedPdfViewer
        file={file}
        content={content}
        onShown={onShown}
        marks={marks}
        target={target}
        ref={ref}
      />
    )
  }
  if (file.kind === 'image')
    return <ImageViewer file={file} content={content} onShown={onShown} marks={marks} ref={ref} />
  if (file.kind === 'zip') return <ZipContents file={file} onShown={onShown} />
  return <NoPreview file={file} onShown={onShown} />
}

/**
 * Loads the viewer after the screen around it is in place: its script takes long to run. Not by React.lazy, which would
 * show it at least 300 ms after the spinner.
 */
function LoadedPdfViewer(props: ViewerProps) {
  const [PdfViewer, setPdfViewer] = useState(getPdfViewer)
  useEffect(() => {
    if (PdfViewer) return
    loadPdfViewer().then(
      (loaded) => setPdfViewer(() => loaded),
      (error: unknown) =>
        // For the page's error boundary.
        setPdfViewer(() => {
          throw error
        }),
    )
  }, [PdfViewer])
  const onShown = usePostponedIdleTasks(PdfViewer !== null, props.onShown)
  return PdfViewer ? <PdfViewer {...props} onShown={onShown} /> : <Spinner className="m-auto text-muted" />
}

/**
 * Lets what the page loads when it is idle wait for the first document, whose viewer is large: forms and the search would take
 * the processor from it. Returns `onShown`, which ends the waiting.
 */
function usePostponedIdleTasks(isLoaded: boolean, onShown: OnShown | undefined): OnShown {
  const end = useRef(() => {})
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first document waits for its viewer
  useLayoutEffect(() => {
    if (isLoaded) return
    end.current = holdIdleTasks()
    return end.current
  }, [])
  return (hasContent) => {
    end.current()
    onShown?.(hasContent)
  }
}
