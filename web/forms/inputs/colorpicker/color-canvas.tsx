import { type CSSProperties, useLayoutEffect, useRef } from 'react'

/** Paints the whole canvas, which is transparent before. */
export type Paint = (context: CanvasRenderingContext2D, width: number, height: number) => void

/** A canvas of this size in CSS pixels [9.11], painted at each rendering. */
export function ColorCanvas({
  width,
  height,
  paint,
  ...props
}: {
  width: number
  height: number
  paint: Paint
  className?: string | undefined
  style?: CSSProperties | undefined
}) {
  const ref = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const context = ref.current?.getContext('2d')
    if (!context) return
    context.clearRect(0, 0, width, height)
    paint(context, width, height)
  })
  return <canvas ref={ref} width={width} height={height} {...props} />
}

/** Returns the paint of a gradient through these colours at equal distances, to the right or downwards. */
export const paintGradient =
  (direction: 'right' | 'down', colors: readonly string[]): Paint =>
  (context, width, height) => {
    const gradient =
      direction === 'right'
        ? context.createLinearGradient(0, 0, width, 0)
        : context.createLinearGradient(0, 0, 0, height)
    for (const [place, color] of colors.entries()) gradient.addColorStop(place / (colors.length - 1), color)
    context.fillStyle = gradient
    context.fillRect(0, 0, width, height)
  }

/** Returns the paint of the area: saturation to the right, lightness upwards. */
export const paintArea =
  (hue: number): Paint =>
  (context, width, height) => {
    paintGradient('right', [`hsl(${hue} 0% 50%)`, `hsl(${hue} 100% 50%)`])(context, width, height)
    // In HSL the lightness mixes a colour with white above the middle, and with black below it.
    paintGradient('down', ['#fff', '#fff0'])(context, width, height / 2)
    context.translate(0, height / 2)
    paintGradient('down', ['#0000', '#000'])(context, width, height / 2)
    context.resetTransform()
  }
