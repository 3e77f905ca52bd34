import { type PreviewFile, previewAddress } from './preview-controls.ts'

/** More would be in the way of what is being looked at. */
const MAX_PRELOAD_BYTES = 32 * 1024 ** 2

let image: HTMLImageElement | null = null

/** Begins to fetch the file that will probably be wanted next, so that it is on the screen at once. */
export async function preloadFile(
  file: Pick<PreviewFile, 'id' | 'kind' | 'size' | 'scanResult'>,
): Promise<void> {
  if (file.scanResult !== 'clean' || file.size > MAX_PRELOAD_BYTES) return
  if (file.kind === 'pdf') {
    const { preloadPdf } = await import('./pdf-documents.ts')
    preloadPdf(previewAddress(file.id))
  } else if (file.kind === 'image') {
    // A page that holds a picture shows it again without asking, whatever the answer said of keeping it.
    image = new Image()
    image.src = previewAddress(file.id)
  }
}
