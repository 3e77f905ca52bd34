import type { Ref } from 'react'
import type { FileKind, ScanResult } from '../../../shared/uploads/files.ts'
import type { Mark } from './page-marks.tsx'

/** A step forward or back, the first or last page, or the page with this number. */
export type PageTurn = 1 | -1 | 'first' | 'last' | { page: number }

/** The keyboard commands of a preview, for all kinds of files. */
export type PreviewControls = {
  scroll(direction: 1 | -1, by: 'line' | 'screen'): void
  turnPage(to: PageTurn): void
  zoom(to: 'in' | 'out' | 'fit'): void
  /** Turns the document clockwise by a quarter. */
  rotate(): void
  /** Prints all pages. Rejects if there are too many, or one cannot be drawn. */
  print(): Promise<void>
}

export type PreviewFile = {
  id: string
  name: string
  kind: FileKind
  type: string
  size: number
  pageCount: number | null
  facts: unknown
  scanResult: ScanResult
  /** Null for users of institutions. */
  hasThumbnail?: boolean | null
  /** The address of its routes without its id, where it is not `/files`: of a share. */
  folder?: string
}

type Addressed = Pick<PreviewFile, 'id' | 'folder'>

/**
 * Called with true when the first visible part of the document is shown, or with false when it is certain that nothing of
 * its content will be shown; then with true after a later attempt.
 */
export type OnShown = (hasContent: boolean) => void

export type ViewerProps = {
  file: PreviewFile
  /** The content where the page has it itself, as of a file that it has just sent; otherwise the server's is shown. */
  content?: Blob | undefined
  /** Whether the server shows the file to the reader although it was not checked: the reader's own, after it was read. */
  isRead?: boolean | undefined
  onShown?: OnShown | undefined
  marks?: readonly Mark[] | undefined
  /** The page to show; another object shows it again. */
  target?: { page: number } | null | undefined
  ref?: Ref<PreviewControls> | undefined
}

export const downloadAddress = ({ id, folder = '/files' }: Addressed): string => `${folder}/${id}`
export const previewAddress = (file: Addressed): string => `${downloadAddress(file)}/preview`
export const thumbnailAddress = (file: Addressed): string => `${downloadAddress(file)}/thumbnail`
export const archiveAddress = (uploadId: string): string => `/files/zip/${uploadId}`

const LINE_PX = 80
/** How much of the previous screen stays visible after scrolling by a screen. */
const OVERLAP_PX = 60

/** Scrolls an element like the arrow keys and the space bar. */
export function scrollBy(element: Element | null, direction: 1 | -1, by: 'line' | 'screen'): void {
  if (!element) return
  element.scrollBy({
    top: direction * (by === 'line' ? LINE_PX : Math.max(LINE_PX, element.clientHeight - OVERLAP_PX)),
  })
}

/** Clockwise, in degrees. */
export type Rotation = 0 | 90 | 180 | 270
export const turnRight = (rotation: Rotation): Rotation => ((rotation + 90) % 360) as Rotation

/** Returns the size of a page or picture that is turned. */
export const turnSize = <Size extends { width: number; height: number }>(
  { width, height }: Size,
  rotation: Rotation,
) => (rotation % 180 === 0 ? { width, height } : { width: height, height: width })

const ZOOM_FACTOR = 1.25

/** Returns the next zoom in or out, within the limits; 1 is the real size. */
export function stepZoom(scale: number, to: 'in' | 'out', [min, max]: readonly [number, number]): number {
  const next = to === 'in' ? scale * ZOOM_FACTOR : scale / ZOOM_FACTOR
  return Math.min(max, Math.max(min, next))
}
