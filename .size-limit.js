import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))
const modules = new Set(['index.html'])
for (const module of modules) for (const next of manifest[module].imports ?? []) modules.add(next)

/** What the browser loads for the sign-in page: the page's script, what it imports, and the script for the colour mode. */
export default [
  {
    name: 'sign-in page',
    path: ['dist/boot.js', ...[...modules].map((module) => `dist/${manifest[module].file}`)],
    gzip: true,
    limit: '110 KiB',
  },
]
