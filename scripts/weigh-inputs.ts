import { readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

export interface InputWeight {
  name: string
  /** KiB of gzipped JavaScript that it adds to a form of text fields. */
  atOnce: number
  /** What comes when the input is opened. */
  onOpening: number
}

/** What is there before the input: the frame of a signed-in person, a dialog, FormKit and a text field. */
const THERE = {
  ' frame': 'web/routes/frames.tsx',
  ' dialog': 'web/ui/dialog.tsx',
  ' kit': 'node_modules/@formkit/react/dist/index.mjs',
  text: 'web/forms/text/text-input.tsx',
}

const without = (set: Set<string>, other: Set<string>) => new Set([...set].filter((each) => !other.has(each)))

/** Builds each input of web/forms/ as an entry of its own and adds up what comes with it and was not there before. */
export async function weighInputs(): Promise<InputWeight[]> {
  const names = (await readdir('web/forms', { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => name !== 'address' && !(name in THERE))
  const own = Object.fromEntries(names.map((name) => [name, `web/forms/${name}/${name}-input.tsx`]))
  const input = { ...THERE, ...own }
  const { output } = (await build({
    configFile: 'vite.catalogue.config.ts',
    root: '.',
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input, preserveEntrySignatures: 'strict' } },
  })) as Rolldown.RolldownOutput
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))

  const reach = (from: Iterable<string>, follow: 'imports' | 'all'): Set<string> => {
    const seen = new Set(from)
    for (const fileName of seen) {
      const chunk = chunks.get(fileName)
      for (const next of chunk?.imports ?? []) seen.add(next)
      if (follow === 'all') for (const next of chunk?.dynamicImports ?? []) seen.add(next)
    }
    return seen
  }
  const weigh = (fileNames: Set<string>) =>
    [...fileNames].reduce((sum, fileName) => sum + gzipSync(chunks.get(fileName)?.code ?? '').length, 0) /
    1024

  const entries = new Map(
    [...chunks.values()].flatMap((chunk) => (chunk.isEntry ? [[chunk.name, chunk]] : [])),
  )
  const base = reach(
    Object.keys(THERE).map((name) => entries.get(name)!.fileName),
    'imports',
  )
  return names.map((name) => {
    const entry = entries.get(name)!.fileName
    const atOnce = without(reach([entry], 'imports'), base)
    const later = without(without(reach([entry], 'all'), base), atOnce)
    return { name, atOnce: weigh(atOnce), onOpening: weigh(later) }
  })
}

/** What a build prints, and docs/forms.md keeps. */
export async function printInputWeights(): Promise<void> {
  console.log('KiB of JavaScript (gzip) that an input adds to a form: at once, and when it is opened')
  for (const { name, atOnce, onOpening } of await weighInputs())
    console.log(`  ${name.padEnd(14)} ${atOnce.toFixed(1).padStart(5)} ${onOpening.toFixed(1).padStart(6)}`)
}
