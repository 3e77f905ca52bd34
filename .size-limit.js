import { readFileSync } from 'node:fs'
import { readScreenScripts } from './server/http/pages/front-end.ts'

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))
const modules = new Set(['index.html'])
for (const module of modules) for (const next of manifest[module].imports ?? []) modules.add(next)

/** What the browser loads for every page: the page's script, what it imports, and the script for the colour mode. */
const page = ['dist/boot.js', ...[...modules].map((module) => `dist/${manifest[module].file}`)]

/** What each screen behind the sign-in may load at once, the page included; those without an entry 320 KiB. */
const SCREEN_LIMITS = {
  '/dashboard': '356 KiB',
  '/uploads': '353 KiB',
  '/uploads/$uploadId': '333 KiB',
  '/patients/$patientId': '369 KiB',
  '/institutions/$institutionId': '356 KiB',
  '/institution': '368 KiB',
  // It filters by date, for which it loads the forms at once.
  '/logs': '416 KiB',
}

const frames = manifest['web/routes/frames.tsx'].file
const screens = Object.entries(readScreenScripts('dist')).filter(([, scripts]) => scripts.includes(frames))

export default [
  { name: 'sign-in page', path: page, gzip: true, limit: '110 KiB' },
  ...screens.map(([screen, scripts]) => ({
    name: screen,
    path: [...page, ...scripts.map((script) => `dist/${script}`)],
    gzip: true,
    limit: SCREEN_LIMITS[screen] ?? '320 KiB',
  })),
]
