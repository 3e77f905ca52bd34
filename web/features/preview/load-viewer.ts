import type { ComponentType } from 'react'
import type { ViewerProps } from './preview-controls.ts'

/** The viewer, if it is loaded. */
let viewer: ComponentType<ViewerProps> | null = null
export const getPdfViewer = () => viewer

/** Loads the viewer of PDF documents, which has most of the scripts of its screen, and starts the worker of pdf.js. */
export async function loadPdfViewer(): Promise<ComponentType<ViewerProps>> {
  const [{ PdfViewer }, { getPdfWorker }] = await Promise.all([
    import('./pdf/pdf-viewer.tsx'),
    import('./pdf/pdf-documents.ts'),
  ])
  getPdfWorker()
  viewer = PdfViewer
  return PdfViewer
}
