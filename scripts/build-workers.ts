import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import type { InspectionTask } from '../server/features/uploads/inspection/inspect-file.ts'
import type { Inspection } from '../server/features/uploads/inspection/inspection.ts'
import { writeDocument } from '../server/platform/pdf/write-document.ts'
import {
  BUILT_WORKERS,
  builtArguments,
  findWorker,
  hashSources,
  stampPath,
} from '../server/platform/sandbox/built-workers.ts'
import { makeCnp } from '../shared/romania/cnp.ts'

const PRODUCT = fileURLToPath(new URL('..', import.meta.url))
export const WORKER = new URL('../server/features/uploads/inspection/inspect-file-worker.ts', import.meta.url)
/** Modules of native code, which cannot be part of a bundle. */
const NATIVE = ['sharp', '@napi-rs/canvas']

/**
 * Builds the worker that inspects files as one script with the code that V8 compiles for it, since each file has a process of its
 * own, and most of its time is loading. Nothing is built again of the same sources.
 */
export async function buildWorkers(): Promise<void> {
  if (findWorker(PRODUCT, WORKER).length > 1) return
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { 'import.meta.resolve': '__resolve', 'import.meta.url': '__url' },
    ssr: { noExternal: true, external: NATIVE },
    build: {
      ssr: fileURLToPath(WORKER),
      outDir: join(PRODUCT, BUILT_WORKERS),
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        external: NATIVE,
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          codeSplitting: false,
          dynamicImportInCjs: false,
        },
      },
    },
  })
  const [chunk] = (built as Rolldown.RolldownOutput).output
  const modules = chunk.moduleIds.map((id) => relative(PRODUCT, id))
  const sources = ['package-lock.json', ...modules.filter((path) => /^(server|shared)\//.test(path))]
  await compile()
  await writeFile(
    stampPath(PRODUCT, WORKER),
    JSON.stringify({ sources, hash: hashSources(PRODUCT, sources) }),
  )
}

/** Has the built worker inspect a report, so that V8 compiles what most files need. */
async function compile(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dosar-build-'))
  const path = join(folder, 'raport.pdf')
  const paragraphs = [
    'Nume: Popescu Ana',
    `CNP: ${makeCnp({ sex: 'female', birthDate: '1985-01-01', county: 12, serial: 1 })}`,
    'Data examinării: 02.03.2026',
  ]
  await writeFile(
    path,
    await writeDocument({
      title: 'Raport',
      subtitle: 'Ecografie',
      author: 'Dosar',
      at: new Date(0),
      sections: [{ title: 'Rezultat', paragraphs }],
    }),
  )
  const file = await open(path)
  try {
    const [run, script] = builtArguments(PRODUCT, WORKER)
    const child = fork(run, [script, '--compile'], {
      env: {},
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', file.fd],
    })
    await once(child, 'message')
    child.send({
      name: 'raport.pdf',
      mayConfirm: true,
      limits: { seconds: 60, memory: 2 ** 30 },
    } satisfies InspectionTask)
    const [inspection] = (await once(child, 'message')) as [Inspection]
    if (!inspection.facts.wholeText) throw new Error('the built worker does not read a report')
    child.disconnect()
    await once(child, 'exit')
  } finally {
    await file.close()
    await rm(folder, { recursive: true })
  }
}
