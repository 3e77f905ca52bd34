import sharp from 'sharp'
import { createRandom, type Random } from './random.ts'

export type PictureKind = 'ultrasound' | 'head' | 'thorax' | 'spine' | 'chest' | 'ecg'

/** Pixels without a caption, drawn once a run and used with many captions. */
export type Plate = { pixels: Buffer; width: number; height: number; channels: 1 | 3 }

const clamp = (value: number) => Math.max(0, Math.min(255, value))

/** Returns smooth noise from 0 to 1 that repeats every `size` steps, a power of two, in both directions. */
function createNoise(random: Random, size: number): (x: number, y: number) => number {
  const grid = Float32Array.from({ length: size * size }, () => random.next())
  const mask = size - 1
  const at = (x: number, y: number) => grid[(y & mask) * size + (x & mask)]!
  return (x, y) => {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const right = x - left
    const down = y - top
    const upper = at(left, top) * (1 - right) + at(left + 1, top) * right
    const lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right
    return upper * (1 - down) + lower * down
  }
}

function drawGrey(width: number, height: number, shade: (x: number, y: number) => number): Plate {
  const pixels = Buffer.alloc(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) pixels[y * width + x] = clamp(shade(x, y))
  }
  return { pixels, width, height, channels: 1 }
}

/** Returns the depth of a point in an ellipse: 1 at its centre, 0 at its edge, negative outside. */
const inside = (x: number, y: number, cx: number, cy: number, rx: number, ry: number) =>
  1 - Math.hypot((x - cx) / rx, (y - cy) / ry)

/** The fan of a convex probe: speckle along the beams, a dark cyst with a bright wall and brightening behind it. */
function drawUltrasound(random: Random): Plate {
  const speckle = createNoise(random, 512)
  const tissue = createNoise(random, 64)
  const [width, height, apexX, apexY] = [880, 660, 440, -150]
  const organ = {
    x: random.integer(330, 420),
    y: random.integer(250, 310),
    rx: random.integer(75, 120),
    ry: random.integer(50, 75),
  }
  const vessel = { x: random.integer(520, 600), y: random.integer(330, 420), rx: 58, ry: 17 }
  return drawGrey(width, height, (x, y) => {
    const depth = Math.hypot(x - apexX, y - apexY)
    const angle = Math.atan2(x - apexX, y - apexY)
    if (depth < 210 || depth > 770 || Math.abs(angle) > 0.6) return 6
    const grain = speckle(angle * 420, depth / 2.1) * 0.75 + speckle(angle * 900, depth / 1.2) * 0.45
    const echo = 58 + 95 * tissue(angle * 16, depth / 52) - (depth - 210) * 0.075
    const bend = (tissue(x / 34, y / 34) - 0.5) * 44
    const lesion = inside(x + bend, y + bend * 0.7, organ.x, organ.y, organ.rx, organ.ry)
    const tube = inside(x, y + bend * 0.6, vessel.x, vessel.y, vessel.rx, vessel.ry)
    const hollow = Math.max(lesion, tube)
    const wall = hollow > -0.09 && hollow < 0.02 ? 55 : 0
    const behind =
      lesion < 0 && y > organ.y && Math.abs(x - organ.x - (y - organ.y) * 0.12) < organ.rx * 0.75 ? 1.3 : 1
    const diaphragm = Math.exp(-((depth - 640 - angle * 60) ** 2) / 60) * 90
    return hollow > 0.02 ? 10 + 16 * grain : (echo * behind + wall + diaphragm) * (0.25 + grain * 0.75)
  })
}

/** An axial slice of a head: bright scalp, dark skull, folded cortex, dark ventricles. `level` 0 (low) to 1 (top). */
function drawHeadSlice(random: Random, level: number): Plate {
  const noise = createNoise(random, 64)
  const grain = createNoise(random, 256)
  const size = 512
  const scale = 1 - Math.abs(level - 0.4) * 0.45
  const ventricle = Math.max(0, 1 - Math.abs(level - 0.5) * 2.4)
  return drawGrey(size, size, (x, y) => {
    // Mirrored about the midline, with different noise on each side.
    const side = Math.abs(x - 256)
    const bend = (noise(side / 30, y / 30) - 0.5) * 9
    const head = inside(x, y, 256, 262, 188 * scale, 228 * scale)
    const dust = (grain(x / 1.4, y / 1.4) - 0.5) * 16
    if (head < 0) return 7 + dust
    if (head < 0.045) return 190 + dust
    if (head < 0.085) return 26 + dust
    const fold = Math.sin(noise(side / 24, y / 24) * 26 + level * 9)
    const cortex = head < 0.38 ? 34 * fold * (0.5 - head) * 2 : 9 * fold
    const white = 128 + Math.min(0.5, head) * 34
    const midline = side < 2.5 ? -48 : 0
    const horn =
      ventricle > 0 &&
      (inside(side + bend, y, 19 + (232 - y) * 0.1, 232, 14 * ventricle, 58 * ventricle) > 0 ||
        inside(side + bend, y, 34 + (y - 306) * 0.2, 306, 12 * ventricle, 44 * ventricle) > 0)
    return horn ? 28 + dust : white - cortex + midline + dust
  })
}

/** An axial slice of a thorax: ribs around two dark lungs, heart and aorta between, a vertebra behind. */
function drawThoraxSlice(random: Random, level: number): Plate {
  const grain = createNoise(random, 256)
  const vessels = createNoise(random, 128)
  return drawGrey(512, 512, (x, y) => {
    const dust = (grain(x / 1.4, y / 1.4) - 0.5) * 18
    const body = inside(x, y, 256, 258, 238, 176)
    if (body < 0) return 5 + dust / 3
    const around = Math.atan2(y - 258, (x - 256) * 0.75)
    if (body > 0.09 && body < 0.14 && Math.sin(around * 11 + level * 3) > 0.1) return 226 + dust
    if (inside(x, y, 256, 372, 26, 22) > 0 || inside(x, y, 256, 404, 8, 30) > 0) return 216 + dust
    if (inside(x, y, 292, 362, 15, 15) > 0) return 188 + dust
    const heart = inside(x, y, 276 + level * 14, 214 + level * 10, 62 + level * 18, 66)
    if (heart > 0) return 150 + 18 * vessels(x / 30, y / 30) + dust
    const bend = (vessels(x / 26, y / 26) - 0.5) * 16
    const size = 1 - Math.abs(level - 0.55) * 0.35
    const lungs = Math.max(
      inside(x + bend, y, 140, 256, 92 * size, 122 * size),
      inside(x + bend, y, 376, 256, 92 * size, 122 * size),
    )
    if (lungs > 0) return 22 + Math.max(0, vessels(x / 5, y / 5) - 0.82) * 780 * Math.min(1, lungs * 3) + dust
    return (body < 0.07 ? 66 : 116) + dust
  })
}

/** A sagittal slice of a lumbar spine: five vertebrae with their discs, the canal with its cord behind. */
function drawSpineSlice(random: Random, level: number): Plate {
  const noise = createNoise(random, 64)
  const grain = createNoise(random, 256)
  return drawGrey(420, 620, (x, y) => {
    const dust = (grain(x / 1.4, y / 1.4) - 0.5) * 16
    const curve = 196 - Math.sin((y - 40) / 170) * 26
    const off = x - curve + (noise(x / 40, y / 40) - 0.5) * 5
    const step = (((y + 20) % 104) + 104) % 104
    if (Math.abs(off) < 48 - Math.abs(step - 38) * 0.1 && step < 76)
      return 132 + 26 * noise(x / 9, y / 9) + dust
    if (Math.abs(off) < 51)
      return (step > 79 && step < 101 && Math.abs(off) < 40 ? 176 - (y > 430 ? 90 : 0) : 40) + dust
    if (off > 58 && off < 88) return (Math.abs(off - 74) < 6 - level * 2 && y < 330 ? 104 : 208) + dust
    if (off > 94 && off < 176)
      return 70 + 90 * Math.max(0, Math.sin((y + off * 0.5) / 17)) * noise(x / 20, y / 20) + dust
    return (off > 190 ? 168 : 52 + 44 * noise(x / 28, y / 28)) * (0.9 + level * 0.1) + dust
  })
}

/** A chest from the front: two dark lungs, spine, heart to the left, ribs and clavicles. */
function drawChest(random: Random): Plate {
  const grain = createNoise(random, 256)
  const soft = createNoise(random, 64)
  const [width, height] = [720, 760]
  return drawGrey(width, height, (x, y) => {
    const dust = (grain(x / 1.3, y / 1.3) - 0.5) * 12 + (soft(x / 40, y / 40) - 0.5) * 22
    const body = inside(x, y, 360, 460, 340, 480)
    if (body < 0) return 8 + dust / 2
    const lung = Math.max(
      inside(x, y, 212, 372 - (x - 212) * 0.25, 118, 262),
      inside(x, y, 508, 372 + (x - 508) * 0.25, 118, 262),
    )
    const air = Math.min(1, Math.max(0, lung * 3.2)) * (y > 596 ? Math.max(0, 1 - (y - 596) / 22) : 1)
    const heart = Math.min(1, Math.max(0, inside(x, y, 418, 500, 128, 128) * 3.4))
    const spine = Math.exp(-(((x - 360) / 34) ** 2))
    const side = Math.abs(x - 360)
    const rib = Math.max(0, Math.sin((y + side * side * 0.0016 - side * 0.32) / 11.2) - 0.45) * 40
    const clavicle =
      Math.exp(-(((y - 150 + side * 0.16) / 13) ** 2)) *
      Math.min(1, Math.max(0, (side - 24) / 30)) *
      (side < 270 ? 46 : 0)
    const tissue = 176 - body * 26
    return (
      tissue - air * (1 - heart) * 124 + spine * 40 + (side > 30 ? rib * (0.3 + air) : 0) + clavicle + dust
    )
  })
}

/** Twelve leads on millimetre paper. */
async function drawEcg(random: Random): Promise<Plate> {
  const [width, height] = [1200, 760]
  const lines = (step: number, color: string, stroke: number) =>
    `<path stroke="${color}" stroke-width="${stroke}" d="${Array.from({ length: Math.ceil(width / step) }, (_, i) => `M${i * step} 0V${height}`).join('')}${Array.from({ length: Math.ceil(height / step) }, (_, i) => `M0 ${i * step}H${width}`).join('')}"/>`
  const peak = (t: number, at: number, spread: number, size: number) =>
    size * Math.exp(-(((t - at) / spread) ** 2))
  const beat = (t: number) =>
    peak(t, 0.18, 0.03, 9) -
    peak(t, 0.305, 0.008, 9) +
    peak(t, 0.33, 0.011, 74) -
    peak(t, 0.36, 0.01, 19) +
    peak(t, 0.6, 0.05, 17)
  const lead = (row: number, column: number) => {
    const [size, shift] = [0.5 + random.next() * 0.6, random.next()]
    const points = Array.from({ length: 290 }, (_, i) => {
      const wander = Math.sin(i / 60 + row) * 2 + (random.next() - 0.5) * 1.2
      return `${20 + column * 290 + i},${(140 + row * 200 - beat((i / 118 + shift) % 1) * size + wander).toFixed(1)}`
    })
    return `<polyline fill="none" stroke="#1f2937" stroke-width="1.6" points="${points.join(' ')}"/>`
  }
  const leads = [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => lead(row, column)))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff7f7"/>${lines(8, '#fbdcdc', 0.6)}${lines(40, '#f3b4b4', 1)}${leads.join('')}</svg>`
  const { data, info } = await sharp(Buffer.from(svg))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { pixels: data, width: info.width, height: info.height, channels: 3 }
}

/** Returns a few plates of each kind, the same at every run. */
export async function drawPlates(): Promise<Record<PictureKind, readonly Plate[]>> {
  const each = (kind: string, count: number) =>
    Array.from({ length: count }, (_, i) => createRandom(`${kind} ${i}`))
  const series = (draw: (random: Random, level: number) => Plate) =>
    Array.from({ length: 5 }, (_, i) => draw(createRandom('series'), i / 4))
  return {
    ultrasound: each('ultrasound', 2).map(drawUltrasound),
    head: series(drawHeadSlice),
    thorax: series(drawThoraxSlice),
    spine: series(drawSpineSlice),
    chest: each('chest', 2).map(drawChest),
    ecg: await Promise.all(each('ecg', 2).map(drawEcg)),
  }
}
