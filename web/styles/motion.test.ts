import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const web = fileURLToPath(new URL('..', import.meta.url))
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(css|ts|tsx)$/.test(name) && !name.includes('.test.'))
  .map((name) => ({ name, text: readFileSync(join(web, name), 'utf8') }))

/** Returns the matches in the sources of one language, each with its file name. */
const find = (language: 'css' | 'ts', pattern: RegExp) =>
  sources
    .filter(({ name }) => name.endsWith('.css') === (language === 'css'))
    .flatMap(({ name, text }) => [...text.matchAll(pattern)].map(([found]) => `${name} ${found}`))
    .sort()

describe('animations in the sources', () => {
  it('take 250 ms with ease-in-out by default [9.8]', () => {
    expect(find('css', /--default-transition-[\w-]+: [^;]+/g)).toEqual([
      'styles/theme.css --default-transition-duration: 250ms',
      'styles/theme.css --default-transition-timing-function: ease-in-out',
    ])
  })

  it('have other durations only in the tooltip [9.8] [9.12]', () => {
    expect(find('ts', /(?<![\w-])(?:duration|ease|delay)-[\w[(][\w.()[\]-]*/g)).toEqual([
      'ui/overlays/tooltip.tsx duration-250',
      'ui/overlays/tooltip.tsx duration-300',
    ])
    expect(
      find('ts', /\.animate\(|(?:transition|animation)Duration|behavior: 'smooth'|scroll-smooth/g),
    ).toEqual([])
  })

  it('repeat endlessly only for loading states [9.8]', () => {
    expect(new Set(find('ts', /(?<![\w-])animate-[\w[][\w-]*/g).map((found) => found.split(' ')[1]))).toEqual(
      new Set(['animate-spin', 'animate-breathe', 'animate-slide']),
    )
  })

  it('have no other durations in stylesheets, and are off with reduced motion [9.8]', () => {
    expect(find('css', /(?<![\w-])(?:transition|animation)(?:-\w+)*: [^;]+/g)).toEqual([
      // Shows a text after a second, without motion.
      'styles/base.css animation: appear 0s 1s backwards',
      'styles/base.css animation: none !important',
      'styles/base.css transition: none !important',
      'styles/table.css transition: background-color 250ms ease-in-out',
    ])
  })
})
