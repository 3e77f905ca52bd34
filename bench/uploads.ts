import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { bearerOf, type Person, type Product } from './contestants.ts'
import type { BenchDatabase } from './database.ts'
import { familyTime, memoryOf, processorTime, resetPeak } from './machine.ts'
import { type Running, runWorker } from './processes.ts'
import type { SendResult, SendTask, SourceFile } from './send-files.ts'

const MIB = 1024 * 1024
/** Files of an upload, by the default settings. */
const FILES_OF_AN_UPLOAD = 20

/** The receivers of files: a copy within one process, a plain PUT, a PUT with fsync, the product. */
export const RECEIVERS = ['copy', 'put', 'put, durable', 'product'] as const
export type Receiver = (typeof RECEIVERS)[number]
/** Processor times in milliseconds a file, memory in MiB. */
export type SendWindow = SendResult & { mib: number; serverCpu: number; databaseCpu: number; peak: number }
export type UploadResult = {
  name: string
  count: number
  /** MiB of all files together. */
  total: number
  rounds: Record<Receiver, SendWindow[]>
}

type Kind = { name: string; count: number; size: number; parallel: number }
const KINDS: readonly Kind[] = [
  { name: '1 GiB', count: 1, size: 1024 * MIB, parallel: 1 },
  { name: '1,000 × 300 kB, one at a time', count: 1000, size: 300_000, parallel: 1 },
  { name: '1,000 × 300 kB, four at a time', count: 1000, size: 300_000, parallel: 4 },
]

/**
 * Sends the files to each receiver in rotation, `rounds` times. `folder` holds the files to send and those of
 * the floor.
 */
export async function measureUploads(
  database: BenchDatabase,
  { floor, product }: { floor: Running; product: Product },
  { folder, rounds }: { folder: string; rounds: number },
): Promise<UploadResult[]> {
  const results: UploadResult[] = []
  for (const kind of KINDS) {
    const sources = join(folder, 'sources')
    const files = await makeFiles(sources, kind)
    const windows: Record<Receiver, SendWindow[]> = { copy: [], put: [], 'put, durable': [], product: [] }
    for (let round = 0; round < rounds; round += 1) {
      for (const receiver of RECEIVERS) {
        const { pid } = receiver === 'product' ? product : floor
        const prepared = await prepare(receiver, { floor, product, files, kind, sources })
        // Pending writes of an earlier round must not be done in this one.
        execFileSync('sync')
        resetPeak(pid)
        const before = { server: processorTime(pid), database: familyTime(database.postmaster) }
        const sent = await prepared()
        windows[receiver].push({
          ...sent,
          mib: (kind.count * kind.size) / MIB / sent.seconds,
          serverCpu: (processorTime(pid) - before.server) / kind.count,
          databaseCpu: (familyTime(database.postmaster) - before.database) / kind.count,
          peak: memoryOf(pid).peak,
        })
        await clear(database, folder, files)
      }
    }
    const rates = RECEIVERS.map(
      (receiver) => `${receiver} ${windows[receiver].map(({ mib }) => Math.round(mib)).join(' ')}`,
    )
    process.stderr.write(`${kind.name}: ${rates.join(', ')} MiB/s\n`)
    results.push({
      name: kind.name,
      count: kind.count,
      total: (kind.count * kind.size) / MIB,
      rounds: windows,
    })
    await rm(sources, { recursive: true })
  }
  return results
}

type Preparation = {
  floor: Running
  product: Product
  files: readonly SourceFile[]
  kind: Kind
  sources: string
}

/** Prepares the sending, which is not measured; returns the function that sends. */
async function prepare(
  receiver: Receiver,
  { floor, product, files, kind: { parallel }, sources }: Preparation,
): Promise<() => Promise<SendResult>> {
  const send = (task: SendTask) => () => runWorker<SendTask, SendResult>('send-files.ts', task)
  if (receiver === 'copy')
    return () => copy(floor.url, { from: sources, names: files.map(({ name }) => name), parallel })
  if (receiver !== 'product')
    return send({ how: 'put', url: floor.url, files, parallel, durable: receiver === 'put, durable' })
  const person = product.people.reviewer
  const uploadIds: string[] = []
  for (const place of files.keys())
    uploadIds.push(place % FILES_OF_AN_UPLOAD === 0 ? await createUpload(person) : uploadIds.at(-1)!)
  return send({
    how: 'tus',
    url: product.url,
    files,
    parallel,
    uploadIds,
    authorization: await bearerOf(person, 'files'),
  })
}

async function copy(
  url: string,
  task: { from: string; names: string[]; parallel: number },
): Promise<SendResult> {
  const start = performance.now()
  const response = await fetch(`${url}/copy`, { method: 'POST', body: JSON.stringify(task) })
  if (!response.ok) throw new Error(await response.text())
  const seconds = (performance.now() - start) / 1000
  return { seconds, p50: (seconds * 1000 * task.parallel) / task.names.length }
}

async function createUpload({ client }: Person): Promise<string> {
  const { createUpload: made } = await client.runQuery(
    'mutation { createUpload(upload: { title: "Măsurătoare" }) { id } }',
  )
  return made.id
}

/** Writes files of random bytes that begin like a PDF, since the product checks the first bytes. */
async function makeFiles(folder: string, { count, size }: Kind): Promise<SourceFile[]> {
  await mkdir(folder, { recursive: true })
  const files: SourceFile[] = []
  for (let place = 0; place < count; place += 1) {
    const name = `file-${place}.pdf`
    const handle = await open(join(folder, name), 'w')
    const hash = createHash('sha256')
    for (let at = 0; at < size; at += MIB) {
      const bytes = randomBytes(Math.min(MIB, size - at))
      if (at === 0) bytes.write('%PDF-1.7\n')
      hash.update(bytes)
      await handle.write(bytes)
    }
    await handle.close()
    files.push({ path: join(folder, name), name, size, sha256: hash.digest('hex') })
  }
  return files
}

/** Deletes the sent files on both sides, so that the next run starts in the same state. */
async function clear(
  { db, dataDir }: BenchDatabase,
  folder: string,
  files: readonly SourceFile[],
): Promise<void> {
  for (const { name } of files) await rm(join(folder, name), { force: true })
  const { rows } = await sql<{ storage_key: string }>`
    delete from transfer using upload where upload.id = upload_id and title = 'Măsurătoare'`
    .execute(db)
    .then(() =>
      sql<{ storage_key: string }>`
        delete from file using upload where upload.id = upload_id and title = 'Măsurătoare'
        returning storage_key`.execute(db),
    )
  await sql`delete from upload where title = 'Măsurătoare'`.execute(db)
  // Of files that are gone: they would be read while the next receiver is measured.
  await sql`delete from pgboss.job where name in ('read-file', 'check-upload', 'draw-thumbnails')`.execute(db)
  for (const { storage_key } of rows) await rm(join(dataDir, 'files', storage_key), { force: true })
}
