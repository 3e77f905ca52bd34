import { isAccepted } from '../../../shared/uploads/files.ts'
import { onPersonChange } from '../../session/person-change.ts'
import { loadPdfViewer } from './load-viewer.ts'
import { type PreviewFile, previewAddress } from './preview-controls.ts'

/** A larger preload would slow down the file being viewed. */
const MAX_PRELOAD_BYTES = 32 * 1024 ** 2

let image: HTMLImageElement | null = null
let dropPreloaded: (() => void) | null = null

// What was preloaded for one user, and recorded as read by them, is not shown to the next.
onPersonChange(() => {
  image = null
  dropPreloaded?.()
})

/** Preloads the file that will probably be shown next; resolves when the first page of a PDF is drawn. */
export async function preloadFile(
  file: Pick<PreviewFile, 'id' | 'kind' | 'size' | 'scanResult'>,
): Promise<void> {
  if (!isAccepted(file.scanResult) || file.size > MAX_PRELOAD_BYTES) return
  if (file.kind === 'pdf') {
    await loadPdfViewer()
    const documents = await import('./pdf/pdf-documents.ts')
    dropPreloaded = documents.dropPreloaded
    await documents.preloadPdf(previewAddress(file))
  } else if (file.kind === 'image') {
    // The browser shows an image that the page still references without a request, regardless of its cache
    // headers.
    image = new Image()
    image.src = previewAddress(file)
  }
}
