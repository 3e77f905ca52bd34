import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { makePatient } from '../../db/factories.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { makeCnp } from '../../shared/romania/cnp.ts'
import { makePdf } from '../../test/hostile-files.ts'
import { bearerOf, type Product } from '../contestants.ts'
import { writeSource } from '../health.ts'
import { runWorker } from '../processes.ts'
import { figure } from '../report.ts'
import type { SendResult, SendTask, SourceFile } from '../send-files.ts'
import type { Table } from '../table.ts'

const FILES = 300
const PATIENTS = 60
/** Files that a call announces at most. */
const ANNOUNCED = 100
/** As a page sends them. */
const PARALLEL = 4
const POLL_PAUSE_MS = 100

/** Sends a batch of reports as a page does, and measures until all have arrived, and until all are read and grouped. */
export async function measureBatch(db: Db, product: Product, folder: string): Promise<Table> {
  const { reviewer } = product.people
  const { runQuery } = reviewer.client
  const files = await writeReports(db, folder)
  const { createBatch } = await runQuery('mutation { createBatch(name: "Măsurătoare") { id } }')
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1_000
  const uploadIds: string[] = []
  for (let from = 0; from < files.length; from += ANNOUNCED) {
    const announced = files.slice(from, from + ANNOUNCED).map(({ name, size }) => ({ key: name, name, size }))
    const { addToBatch } = await runQuery(
      'mutation ($id: ID!, $files: [FileToAnnounce!]!) { addToBatch(batchId: $id, files: $files) { uploadId } }',
      { id: createBatch.id, files: announced },
    )
    uploadIds.push(...addToBatch.map(({ uploadId }: { uploadId: string }) => uploadId))
  }
  const announcedAfter = seconds()
  const authorization = await bearerOf(reviewer, 'files')
  const task = { how: 'tus' as const, url: product.url, files, parallel: PARALLEL, uploadIds, authorization }
  await runWorker<SendTask, SendResult>('send-files.ts', task)
  const receivedAfter = seconds()
  const readCounts = async () =>
    (
      await runQuery('query ($id: ID!) { batch(id: $id) { counts { waiting sure } } }', {
        id: createBatch.id,
      })
    ).batch.counts
  let counts = await readCounts()
  while (counts.waiting > 0) {
    await pause(POLL_PAUSE_MS)
    counts = await readCounts()
  }
  const rows = [
    ['announced', announcedAfter],
    ['received', receivedAfter],
    ['read and grouped', seconds()],
  ] as const
  return {
    title: `A batch of ${FILES} reports of ${PATIENTS} patients`,
    columns: ['until all are', 'seconds', 'files a second'],
    rows: rows.map(([what, after]) => [what, figure(after), figure(FILES / after)]),
    notes: [`${counts.sure} groups are sure.`],
  }
}

async function writeReports(db: Db, folder: string): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for (let serial = 0; serial < PATIENTS; serial += 1) {
    const cnp = makeCnp({ sex: 'female', birthDate: '1971-02-03', county: 12, serial })
    const { surname, given_names } = await makePatient(db, { cnp })
    for (let report = 0; report < FILES / PATIENTS; report += 1) {
      const text = `Nume: ${surname} ${given_names}\nCNP: ${cnp}\nNr. examinare: A${serial}-${report % 2}\nrezultat ${report}`
      files.push(await writeSource(folder, `${serial}-${report}.pdf`, await makePdf(1, {}, text)))
    }
  }
  return files
}
