import { readdir } from 'node:fs/promises'
import { build, type Rolldown } from 'vite'
import { readChunks } from './chunk-graph.ts'

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

/**
 * Builds each input of web/forms/ as an entry of its own and adds up what comes with it and was not there before. A build
 * beside the product's, whose chunks hold many inputs at once.
 */
export async function weighInputs(): Promise<InputWeight[]> {
  const names = (await readdir('web/forms', { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => name !== 'address' && !(name in THERE))
  const own = Object.fromEntries(names.map((name) => [name, `web/forms/${name}/${name}-input.tsx`]))
  const input: Record<string, string> = { ...THERE, ...own }
  const { find, reach, weigh } = readChunks(
    (await build({
      configFile: 'vite.catalogue.config.ts',
      root: '.',
      logLevel: 'error',
      build: { write: false, rolldownOptions: { input, preserveEntrySignatures: 'strict' } },
    })) as Rolldown.RolldownOutput,
  )
  const weighKib = async (fileNames: Set<string>) => (await weigh(fileNames)).gzip / 1024
  const base = reach(Object.values(THERE).map(find), 'imports')
  const weights: InputWeight[] = []
  for (const name of names) {
    const entry = find(own[name]!)
    const atOnce = reach([entry], 'imports', base)
    const later = reach([entry], 'all', base).difference(atOnce)
    weights.push({ name, atOnce: await weighKib(atOnce), onOpening: await weighKib(later) })
  }
  return weights
}

/** What a build prints, and docs/forms.md keeps. */
export async function printInputWeights(): Promise<void> {
  console.log('KiB of JavaScript (gzip) that an input adds to a form: at once, and when it is opened')
  for (const { name, atOnce, onOpening } of await weighInputs())
    console.log(`  ${name.padEnd(14)} ${atOnce.toFixed(1).padStart(5)} ${onOpening.toFixed(1).padStart(6)}`)
}
