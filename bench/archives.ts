import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { makePatient } from '../db/factories.ts'
import type { Db } from '../server/platform/database/database.ts'
import { makeZip } from '../test/hostile-files.ts'
import { writeDicom } from '../test/inspection/dicom-files.ts'
import type { Product } from './contestants.ts'
import { createUpload, sendFile, submitUpload, writeSource } from './health.ts'
import { memoryOf } from './machine.ts'
import { figure } from './report.ts'
import type { Table } from './table.ts'

/** The goals for an archive of 2,000 slices. */
const GOALS = { seconds: 5, sandboxMiB: 250, serverMiB: 50 }
/** Half of a slice cannot be compressed, as in a real CT. */
const SLICE_BYTES = 256 * 1024
const POLL_PAUSE_MS = 25
/** From its sources or as it was built. */
const WORKER = /inspect-file-worker\.(ts|cjs)$/

/**
 * Hands in archives of DICOM slices, and measures the time until each is checked, the peak memory of the sandbox process
 * that reads it, and how much the server's memory grows meanwhile. Written files stay in `folder`.
 */
export async function measureArchives(db: Db, product: Product, folder: string): Promise<Table> {
  const { id: patientId } = await makePatient(db)
  const rows: string[][] = []
  let isMet = true
  // The first one loads the code of the check, and is not in the table.
  for (const [slices, isStored] of [
    [10, true],
    [600, false],
    [2_000, true],
    [2_000, false],
  ] as const) {
    const name = `${slices} slices, ${isStored ? 'not compressed' : 'compressed'}`
    const file = await writeSource(folder, `${name}.zip`, await makeStudy(slices, isStored))
    const upload = await createUpload(product.people.reviewer, { title: name, patientId })
    await sendFile(product.url, product.people.reviewer, upload, file)
    const measured = await watchCheck(product, upload)
    if (slices === 10) continue
    const { seconds, sandboxMiB, serverMiB } = measured
    isMet &&= seconds <= GOALS.seconds && sandboxMiB <= GOALS.sandboxMiB && serverMiB <= GOALS.serverMiB
    const size = (file.size / 1e6).toFixed(0)
    rows.push([name, size, figure(seconds), sandboxMiB.toFixed(0), serverMiB.toFixed(0), measured.state])
    process.stderr.write(`${rows.at(-1)!.join(' · ')}\n`)
  }
  const goals = `≤ ${GOALS.seconds} s, ≤ ${GOALS.sandboxMiB} MiB and ≤ ${GOALS.serverMiB} MiB`
  return {
    title: 'Archives of DICOM slices, from handing in to the end of the check',
    columns: ['archive', 'MB', 'seconds', 'sandbox, peak MiB', 'server grows, MiB', 'state at the end'],
    rows,
    notes: [`Goals: ${goals}: ${isMet ? 'met' : '**not met**'}.`],
  }
}

/** Returns a study whose slices have the tags of one patient and their own pixels. */
function makeStudy(slices: number, isStored: boolean): Promise<Buffer> {
  const files = Array.from({ length: slices }, (_, index) => {
    const tags = {
      '0008,0018': `1.2.9.1.${index + 1}`,
      '0008,0020': '20260504',
      '0008,0050': 'A-17',
      '0008,0060': 'CT',
      '0010,0010': 'Popescu^Ana',
      '0010,0030': '19850312',
      '0020,000e': '1.2.9.1',
    }
    const file = writeDicom(tags, { pixels: SLICE_BYTES })
    randomBytes(SLICE_BYTES / 2).copy(file, file.length - SLICE_BYTES / 2)
    return [`CT/${index + 1}.dcm`, file] as const
  })
  return makeZip(Object.fromEntries(files), isStored)
}

async function watchCheck({ pid, people: { reviewer } }: Product, id: string) {
  const read = async () =>
    (await reviewer.client.runQuery('query ($id: ID!) { upload(id: $id) { state } }', { id })).upload.state
  const before = memoryOf(pid).now
  const peak = { sandbox: 0, server: before }
  let state = 'checking'
  const start = performance.now()
  await submitUpload(reviewer, id)
  for (let polls = 0; state === 'checking'; polls += 1) {
    peak.sandbox = Math.max(peak.sandbox, ...peaksOfWorkers())
    peak.server = Math.max(peak.server, memoryOf(pid).now)
    // Rarely, since a request costs the server memory too.
    if (polls % 20 === 0) state = await read()
    await pause(POLL_PAUSE_MS)
  }
  return {
    state,
    seconds: (performance.now() - start) / 1_000,
    sandboxMiB: peak.sandbox,
    serverMiB: peak.server - before,
  }
}

/** Returns the most memory, in MiB, of each process of this folder that inspects a file, without those that start it. */
function peaksOfWorkers(): number[] {
  const peaks: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [program, ...args] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      if (program === process.execPath && args.some((arg) => WORKER.test(arg)))
        peaks.push(memoryOf(Number(name)).peak)
    } catch {
      // It has ended.
    }
  }
  return peaks
}
