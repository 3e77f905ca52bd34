import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { isDeepStrictEqual } from 'node:util'
import { INSTITUTION } from '../../e2e/harness/accounts.ts'
import { type Product, seedDemo, startProduct } from '../../e2e/harness/product.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { restartInProduction } from '../browser/screens.ts'
import { figure } from '../report.ts'
import type { SourceFile } from '../send-files.ts'
import type { Table } from '../table.ts'
import { readState, until } from './filed-files.ts'
import { type Sender, sendByFolder, sendByProgram, sendByScreen } from './senders.ts'
import { addPeople, MIXED, makePeople, type Person, writeBatch } from './write-batch.ts'

const FILES = 300
const PATIENTS = 58
/** The server is killed when so much of receiving and reading together is done: at each step of a file. */
const KILLED_AT = [0.05, 0.2, 0.35, 0.5, 0.7, 0.9]

const WAYS: readonly { name: string; open(product: Product, folder: string): Promise<Sender> }[] = [
  { name: 'by the page of a batch', open: sendByScreen },
  { name: 'by a watched folder', open: sendByFolder },
  { name: 'by POST /api/intake', open: sendByProgram },
]

/** What a file became: its stored bytes, the patient who is proposed for it, and the files of its group. */
type Stored = Record<string, { sha256: string; cnp: string | null; group: string[] }>

/** Sends the same results by each way, all of them twice, while the server is killed, and compares what the databases have. */
export async function measureWays(folder: string): Promise<Table> {
  const removeSeed = await seedDemo()
  try {
    const rows: string[][] = []
    let first: { people: Person[]; files: SourceFile[]; stored: Stored } | null = null
    for (const way of WAYS) {
      const product = await startProduct({ LOG_LEVEL: 'error' })
      try {
        await restartInProduction(product)
        const institutionId = await findInstitution(product)
        const people: Person[] = first?.people ?? (await makePeople(product.db, PATIENTS, institutionId))
        if (first) await addPeople(product.db, people, institutionId)
        const sources = join(folder, 'sources')
        await mkdir(sources, { recursive: true })
        const files: SourceFile[] =
          first?.files ?? (await writeBatch(sources, { count: FILES, people, kinds: MIXED }))
        const watched = join(folder, 'watched')
        await mkdir(watched, { recursive: true })
        const sender = await way.open(product, watched)
        const start = performance.now()
        const killing = killAtEachStep(product, files.length)
        await sender.send(files)
        await killing
        await until(async () => (await readState(product)).waiting === 0)
        const seconds = (performance.now() - start) / 1_000
        await sender.send(files)
        await until(async () => (await readState(product)).waiting === 0)
        const { stored, twice } = await readStored(product)
        first ??= { people, files, stored }
        const lost = files.filter(({ name, sha256 }) => stored[name]?.sha256 !== sha256).length
        rows.push([
          way.name,
          figure(seconds),
          figure(files.length / seconds),
          String(KILLED_AT.length),
          String(sender.repeated),
          String(lost),
          String(twice),
          isDeepStrictEqual(stored, first.stored) ? 'yes' : `no: ${countDifferent(stored, first.stored)}`,
        ])
        process.stderr.write(`${rows.at(-1)!.join(' · ')}\n`)
      } finally {
        await product.stop()
      }
    }
    return {
      title: `${FILES} results of ${PATIENTS} patients by three ways, each sent twice`,
      columns: [
        'way',
        'received and read after s',
        'files a second',
        'kills of the server',
        'repeated requests, or starts of the watcher',
        'lost or changed',
        'twice',
        'uploads and SHA-256 as by the first way',
      ],
      rows,
      notes: [
        'SHA-256 of the bytes in the storage. Compared: these, the patient who is proposed for each file, and which files are one upload.',
      ],
    }
  } finally {
    await removeSeed()
  }
}

async function findInstitution({ db }: Product): Promise<string> {
  const { institution_id } = await db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_id', 'app_user.id')
    .select('institution_id')
    .where('email', '=', INSTITUTION)
    .executeTakeFirstOrThrow()
  return institution_id
}

async function killAtEachStep(product: Product, count: number): Promise<void> {
  for (const part of KILLED_AT) {
    await until(async () => {
      const { arrived, read } = await readState(product)
      return (arrived + read) / (2 * count) >= part
    })
    await product.kill()
    await product.restart()
  }
}

/** `twice`: how many file names there are more than once. */
async function readStored({ db, dataDir }: Product): Promise<{ stored: Stored; twice: number }> {
  const storage = await openDiskStorage(join(dataDir, 'files'))
  const rows = await db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .leftJoin('batch_proposal', 'batch_proposal.upload_id', 'upload.id')
    .leftJoin('patient', 'patient.id', 'batch_proposal.patient_id')
    .select(['file.name', 'file.storage_key', 'file.upload_id', 'patient.cnp'])
    .where('upload.batch_id', 'is not', null)
    .where('upload.state', '!=', 'withdrawn')
    .where('file.removed_at', 'is', null)
    .orderBy('file.name')
    .execute()
  const groups = Map.groupBy(rows, ({ upload_id }) => upload_id)
  const stored: Stored = {}
  for (const { name, storage_key, upload_id, cnp } of rows) {
    const hash = createHash('sha256')
    for await (const bytes of await storage.read(storage_key)) hash.update(bytes as Uint8Array)
    const group = groups.get(upload_id)!.map((file) => file.name)
    stored[name] = { sha256: hash.digest('hex'), cnp, group }
  }
  return { stored, twice: rows.length - Object.keys(stored).length }
}

const countDifferent = (stored: Stored, first: Stored): string => {
  const names = Object.keys(first)
  const count = (field: 'sha256' | 'cnp' | 'group') =>
    names.filter((name) => !isDeepStrictEqual(stored[name]?.[field], first[name]![field])).length
  return `${count('sha256')} contents, ${count('cnp')} patients, ${count('group')} groups`
}
