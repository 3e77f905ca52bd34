import type { Ref } from 'react'

/** Pages forward or back, or the first or last page. */
export type PageTurn = 1 | -1 | 'first' | 'last'

/** What the keyboard can do to a document that is on the screen, whatever its kind. */
export type PreviewControls = {
  scroll(direction: 1 | -1, by: 'line' | 'screen'): void
  turnPage(to: PageTurn): void
  zoom(to: 'in' | 'out' | 'fit'): void
}

export type PreviewFile = {
  id: string
  name: string
  kind: string
  type: string
  size: number
  pageCount: number | null
  facts: unknown
  scanResult: string
}

export type ViewerProps = {
  file: PreviewFile
  /** Called once what can be seen of the document at first is on the screen, or it is certain that nothing will be. */
  onShown?: (() => void) | undefined
  ref?: Ref<PreviewControls> | undefined
}

export const previewAddress = (fileId: string): string => `/files/${fileId}/preview`
export const downloadAddress = (fileId: string): string => `/files/${fileId}`
export const archiveAddress = (uploadId: string): string => `/files/zip/${uploadId}`

const LINE_PX = 80
/** What stays on the screen of what was there, when a whole screen is scrolled on. */
const OVERLAP_PX = 60

/** Scrolls an element as the arrow keys and the space bar do. */
export function scrollBy(element: Element | null, direction: 1 | -1, by: 'line' | 'screen'): void {
  if (!element) return
  element.scrollBy({
    top: direction * (by === 'line' ? LINE_PX : Math.max(LINE_PX, element.clientHeight - OVERLAP_PX)),
  })
}

const ZOOM_FACTOR = 1.25

/** The next zoom in or out, within bounds; 1 is the real size. */
export function stepZoom(scale: number, to: 'in' | 'out', [least, most]: readonly [number, number]): number {
  const next = to === 'in' ? scale * ZOOM_FACTOR : scale / ZOOM_FACTOR
  return Math.min(most, Math.max(least, next))
}
