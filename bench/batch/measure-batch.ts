import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { makeCategory } from '../../db/factories.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { bearerOf, type Product, startProduct } from '../contestants.ts'
import type { BenchDatabase } from '../database.ts'
import { makeCorpus } from '../health.ts'
import { memoryOf } from '../machine.ts'
import { runWorker } from '../processes.ts'
import { figure } from '../report.ts'
import type { SendResult, SendTask } from '../send-files.ts'
import type { Table } from '../table.ts'
import {
  addHostile,
  type BatchFile,
  type Kinds,
  LARGE_REPORTS,
  MIXED,
  makePeople,
  REPORTS,
  writeBatch,
} from './write-batch.ts'

type Kind = { name: string; count: number; patients: number; kinds: Kinds; hostile?: number; isKilled?: true }
const KINDS: readonly Kind[] = [
  { name: '300 reports of 60 patients', count: 300, patients: 60, kinds: REPORTS },
  {
    name: '300 mixed files of 58 patients, server killed',
    count: 300,
    patients: 58,
    kinds: MIXED,
    isKilled: true,
  },
  { name: '1,000 reports of 300 kB of 200 patients', count: 1000, patients: 200, kinds: LARGE_REPORTS },
  {
    name: '500 files of 58 patients, 50 of them hostile',
    count: 450,
    patients: 58,
    kinds: MIXED,
    hostile: 50,
  },
]
/** Files that a call announces at most. */
const ANNOUNCED = 100
/** As a page sends them. */
const PARALLEL = 4
const POLL_PAUSE_MS = 250

/**
 * Sends batches as a page does, measures until all files have arrived and until all are read and grouped, files the groups, and
 * counts the files that are lost, filed twice or proposed for another patient. `only` is a part of a batch's name.
 */
export async function measureBatch(database: BenchDatabase, folder: string, only: string): Promise<Table> {
  const rows: string[][] = []
  for (const kind of KINDS.filter(({ name }) => name.includes(only))) {
    const row = await measureKind(database, folder, kind)
    process.stderr.write(`${row.join(' · ')}\n`)
    rows.push(row)
  }
  return {
    title: 'Batches of files',
    columns: [
      'batch',
      'received after s',
      'read and grouped after s',
      'files a second',
      'peak RSS, MiB',
      'groups',
      'filed',
      'lost, twice',
      'other patient',
      'hostile: refused, marked, neither',
    ],
    rows,
    notes: [],
  }
}

async function measureKind(database: BenchDatabase, folder: string, kind: Kind): Promise<string[]> {
  const { db } = database
  let product = await startProduct(database, { audit: true })
  try {
    const [institutionId = ''] = product.people.institution.institutionIds
    const people = await makePeople(db, kind.patients, institutionId)
    const ordinary = await writeBatch(folder, { ...kind, people })
    const files = kind.hostile
      ? await addHostile(folder, ordinary, await makeCorpus('1710203120011'), kind.hostile)
      : ordinary
    const { createBatch } = await product.people.reviewer.client.runQuery(
      'mutation { createBatch(name: "Măsurătoare") { id } }',
    )
    const { id }: { id: string } = createBatch
    const start = performance.now()
    const seconds = () => (performance.now() - start) / 1_000
    await send(product, id, files)
    const receivedAfter = seconds()
    let peak = 0
    if (kind.isKilled) {
      while ((await countWaiting(product, id)) > files.length / 2) await pause(POLL_PAUSE_MS)
      peak = memoryOf(product.pid).peak
      process.kill(product.pid, 'SIGKILL')
      product = await startProduct(database, { audit: true })
    }
    while ((await countWaiting(product, id)) > 0) await pause(POLL_PAUSE_MS)
    const readAfter = seconds()
    const places = await findFiles(db, id)
    const hostile = files.filter(({ patientId }) => patientId === null)
    const marked = hostile.length > 0 ? await countHostile(db, id, hostile) : ''
    const { groups, filed } = await fileGroups(db, product, { id, institutionId })
    return [
      kind.name,
      figure(receivedAfter),
      figure(readAfter),
      figure(files.length / readAfter),
      Math.max(peak, memoryOf(product.pid).peak).toFixed(0),
      String(groups),
      String(filed),
      `${files.filter(({ name }) => !places.has(name)).length}, ${[...places.values()].filter((rows) => rows.length > 1).length}`,
      files.filter((file) => isOfOther(file, places)).length.toString(),
      marked,
    ]
  } finally {
    await product.stop()
  }
}

async function send(product: Product, batchId: string, files: readonly BatchFile[]): Promise<void> {
  const { reviewer } = product.people
  const uploadIds: string[] = []
  for (let from = 0; from < files.length; from += ANNOUNCED) {
    const announced = files.slice(from, from + ANNOUNCED).map(({ name, size }) => ({ key: name, name, size }))
    const { addToBatch } = await reviewer.client.runQuery(
      'mutation ($id: ID!, $files: [FileToAnnounce!]!) { addToBatch(batchId: $id, files: $files) { uploadId } }',
      { id: batchId, files: announced },
    )
    uploadIds.push(...addToBatch.map(({ uploadId }: { uploadId: string }) => uploadId))
  }
  const authorization = await bearerOf(reviewer, 'files')
  const task = { how: 'tus' as const, url: product.url, files, parallel: PARALLEL, uploadIds, authorization }
  await runWorker<SendTask, SendResult>('send-files.ts', task)
}

async function countWaiting({ people }: Product, id: string): Promise<number> {
  const { batch } = await people.reviewer.client.runQuery(
    'query ($id: ID!) { batch(id: $id) { counts { waiting } } }',
    { id },
  )
  return batch.counts.waiting
}

/** The rows of each file of a batch by its name, with the patient that is proposed for it. */
type Places = Map<string, { name: string; patient_id: string | null }[]>

async function findFiles(db: Db, batchId: string): Promise<Places> {
  const rows = await db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .leftJoin('batch_proposal', 'batch_proposal.upload_id', 'upload.id')
    .select(['file.name', 'batch_proposal.patient_id'])
    .where('upload.batch_id', '=', batchId)
    .where('file.removed_at', 'is', null)
    .execute()
  return Map.groupBy(rows, ({ name }) => name)
}

const isOfOther = ({ name, patientId }: BatchFile, places: Places) =>
  patientId !== null &&
  places.get(name)?.some(({ patient_id }) => patient_id !== null && patient_id !== patientId)

/** Files all groups with a patient as the page does, waits for their checks, and counts the files that came to review. */
async function fileGroups(
  db: Db,
  product: Product,
  { id, institutionId }: { id: string; institutionId: string },
): Promise<{ groups: number; filed: number }> {
  const { client } = product.people.reviewer
  const { slug } = await makeCategory(db, { review_required: true })
  const groups = await db
    .selectFrom('upload')
    .innerJoin('batch_proposal', 'batch_proposal.upload_id', 'upload.id')
    .select(['upload.id', 'upload.version', 'batch_proposal.patient_id'])
    .where('upload.batch_id', '=', id)
    .where('upload.state', '=', 'receiving')
    .execute()
  for (const { id: uploadId, version, patient_id } of groups) {
    if (patient_id === null) continue
    await client.runQuery(
      `mutation ($id: ID!, $version: Int!, $details: GroupDetailsInput) {
        acceptGroup(uploadId: $id, version: $version, details: $details) { id } }`,
      { id: uploadId, version, details: { categorySlug: slug, institutionId } },
    )
  }
  const count = (state: 'checking' | 'in_review') =>
    sql<{ files: number }>`select count(*)::int as files from file join upload on upload.id = file.upload_id
      where batch_id = ${id}::uuid and state = ${state} and file.removed_at is null`
      .execute(db)
      .then(({ rows }) => rows[0]!.files)
  while ((await count('checking')) > 0) await pause(POLL_PAUSE_MS)
  return { groups: groups.length, filed: await count('in_review') }
}

/** Counts the hostile files that are refused, those whose details say what was found or not read, and the others. */
async function countHostile(db: Db, batchId: string, hostile: readonly BatchFile[]): Promise<string> {
  const rows = await db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .innerJoin('file_reading', 'file_reading.file_id', 'file.id')
    .select(['file.name', 'file_reading.inspection'])
    .where('upload.batch_id', '=', batchId)
    .execute()
  const names = new Set(hostile.map(({ name }) => name))
  const found = rows
    .filter(({ name }) => names.has(name))
    .map(({ name, inspection }) => ({ name, ...(inspection as { accepted: boolean; facts: object }) }))
  const isMarked = ({ facts }: { facts: object }) => Object.keys(facts).some((key) => MARKS.has(key))
  const accepted = found.filter((file) => file.accepted)
  const neither = accepted.filter((file) => !isMarked(file)).map(({ name }) => name)
  return `${found.length - accepted.length}, ${accepted.length - neither.length}, ${neither.length} (${neither.join(' ')})`
}

const MARKS = new Set([
  'findings',
  'unreadable',
  'reading',
  'factsCut',
  'noText',
  'pagesWithoutText',
  'unreadEntries',
])
