import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Plate } from './plates.ts'

const FONT = fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf'))

export type Picture = { bytes: Buffer; width: number; height: number }

/** Returns the plate above a strip with its caption, as JPEG, or as PNG where lines must stay sharp. */
export async function printPicture(plate: Plate, caption: string, format: 'jpeg' | 'png'): Promise<Picture> {
  const { pixels, width, height, channels } = plate
  const text = {
    text: `<span foreground="#d4d4d8">${caption}</span>`,
    font: 'Inter',
    fontfile: FONT,
    rgba: true,
    dpi: 84,
  }
  const strip = await sharp({ text: { ...text, width: width - 32 } })
    .png()
    .toBuffer({ resolveWithObject: true })
  const picture = sharp(pixels, { raw: { width, height, channels } })
    .toColourspace('srgb')
    .extend({ bottom: strip.info.height + 24, background: '#18181b' })
    .composite([{ input: strip.data, left: 16, top: height + 12 }])
  const { data, info } = await (format === 'jpeg'
    ? picture.jpeg({ quality: 76 })
    : picture.png({ palette: true, colours: 32, effort: 1 })
  ).toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}
