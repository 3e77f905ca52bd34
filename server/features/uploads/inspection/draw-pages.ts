import type { PDFiumDocument } from '@hyzyla/pdfium'
import sharp, { type Sharp } from 'sharp'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import { leaveOutHugeImages, openPdfium } from './content/pdfium.ts'
import { MAX_IMAGE_PIXELS } from './inspection.ts'

/** A drawn page: red, green, blue and opacity of each pixel. */
export type Drawing = { data: Uint8Array; width: number; height: number }

/** Opens a PDF for drawing; rejects if it needs a password. Call it in the sandbox. */
export const openPdf = async (file: OpenedFile): Promise<PDFiumDocument> =>
  openPdfium(await file.read(0, file.size))

/**
 * Draws a page, from 1, with its longer side as long as given, however large the page says it is: so the number
 * of pixels is bounded. Images with more than `MAX_IMAGE_PIXELS` are left out, as in the preview.
 */
export async function drawPage(document: PDFiumDocument, number: number, side: number): Promise<Drawing> {
  const page = document.getPage(number - 1)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = side / Math.max(originalWidth, originalHeight)
  const size = {
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
  }
  leaveOutHugeImages(page, MAX_IMAGE_PIXELS)
  const { data } = await page.render({ ...size, scale: 1, render: 'bitmap' })
  return { data, ...size }
}

/** Opens a picture as a viewer shows it: turned as its EXIF data says, in one thread. */
export async function openPicture(file: OpenedFile): Promise<Sharp> {
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp(await file.read(0, file.size), {
    limitInputPixels: MAX_IMAGE_PIXELS,
    failOn: 'none',
  }).autoOrient()
}

/** Draws a picture with its longer side at most as long as given. */
export async function drawPicture(file: OpenedFile, side: number): Promise<Drawing> {
  const { data, info } = await (await openPicture(file))
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
