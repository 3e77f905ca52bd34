import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { makeCategory, makePatient, makeReferral } from '../db/factories.ts'
import type { Db } from '../server/platform/database/database.ts'
import {
  type Files,
  LONG_TEXTS,
  makeDisguisedDicoms,
  makeHarmfulArchives,
  makeImage,
  makePdf,
  makeRunnableFiles,
  makeSlowPdf,
  makeUnreadableFiles,
} from '../test/hostile-files.ts'
import { bearerOf, type Person, type Product } from './contestants.ts'
import { runWorker } from './processes.ts'
import type { SendResult, SendTask, SourceFile } from './send-files.ts'
import type { Table } from './table.ts'

const PROBE_PAUSE_MS = 20
const POLL_PAUSE_MS = 50
/** The goal for the slowest response of `/healthz`. */
const MAX_RESPONSE_MS = 200

type Phase = 'sent' | 'checked' | 'opened' | 'released'
const PHASES: readonly Phase[] = ['sent', 'checked', 'opened', 'released']
/** The milliseconds of each response of `/healthz`. */
type Times = Record<Phase, number[]>

/**
 * Sends each hostile file in an upload of its own, has it checked, opens and releases it, and measures meanwhile
 * how long `/healthz` takes to respond. The category needs no reviewer, so that the policy reads the file too.
 * Written files stay in `folder`.
 */
export async function measureHealth(db: Db, product: Product, folder: string): Promise<Table> {
  const patient = await makePatient(db)
  const [institution_id = ''] = product.people.institution.institutionIds
  await makeReferral(db, { patient_id: patient.id, institution_id })
  const { slug } = await makeCategory(db, { review_required: false })
  const upload = {
    title: 'Măsurătoare',
    patientId: patient.id,
    institutionId: institution_id,
    categorySlug: slug,
  }
  const rows: string[][] = []
  const all: number[] = []
  for (const [name, bytes] of Object.entries(await makeCorpus(patient.cnp!))) {
    const file = await writeSource(folder, name, bytes)
    const { state, times } = await followFile(db, product, file, upload)
    all.push(...PHASES.flatMap((phase) => times[phase]))
    rows.push([name, state, ...PHASES.map((phase) => Math.max(...times[phase]).toFixed(0))])
    process.stderr.write(`${rows.at(-1)!.join(' · ')}\n`)
  }
  return {
    title: 'The slowest response of /healthz in milliseconds, while a file is …',
    columns: ['file', 'state at the end', ...PHASES],
    rows,
    notes: [
      `${all.length} responses; ${all.filter((ms) => ms > MAX_RESPONSE_MS).length} took longer than the goal of ${MAX_RESPONSE_MS} ms, the slowest ${Math.max(...all).toFixed(0)} ms.`,
    ],
  }
}

/** Hostile uploads of one person that are checked at the same time, and the goal for a colleague's file meanwhile. */
const CROWD = 50
const MAX_WAIT_S = 10

/**
 * Hands in many hostile files of one person at once, then one small file of a colleague, and measures how long the colleague's
 * file takes to be checked, and `/healthz` until all are.
 */
export async function measureCrowd(db: Db, product: Product, folder: string): Promise<Table> {
  const { reviewer, colleague } = product.people
  const patient = await makePatient(db)
  const [institutionId = ''] = product.people.institution.institutionIds
  await makeReferral(db, { patient_id: patient.id, institution_id: institutionId })
  const upload = { title: 'Măsurătoare', patientId: patient.id, institutionId }
  const corpus = Object.entries(await makeCorpus(patient.cnp!))
  const file = async (person: Person, [name, bytes]: [string, Uint8Array]): Promise<string> => {
    const id = await createUpload(person, upload)
    await sendFile(product.url, person, id, await writeSource(folder, name, bytes))
    return id
  }
  const crowd: string[] = []
  for (let place = 0; place < CROWD; place += 1)
    crowd.push(await file(reviewer, corpus[place % corpus.length]!))
  const single = await file(colleague, ['coleg.txt', Buffer.from('bine')])
  let waited = 0
  const times = await probeDuring(product.url, async () => {
    for (const id of crowd) await submitUpload(reviewer, id)
    const start = performance.now()
    await submitUpload(colleague, single)
    const isChecking = async () =>
      (await colleague.client.runQuery('query ($id: ID!) { upload(id: $id) { state } }', { id: single }))
        .upload.state === 'checking'
    while (await isChecking()) await pause(POLL_PAUSE_MS)
    waited = performance.now() - start
    while (await hasJobs(db)) await pause(POLL_PAUSE_MS)
  })
  const slowest = Math.max(...times)
  return {
    title: `${CROWD} hostile files of one person at once, and one file of a colleague`,
    columns: ['', 'wanted', 'measured', 'met'],
    rows: [
      [
        'the colleague waits, s',
        `≤ ${MAX_WAIT_S}`,
        (waited / 1000).toFixed(1),
        waited <= MAX_WAIT_S * 1000 ? 'yes' : 'no',
      ],
      [
        'slowest /healthz, ms',
        `≤ ${MAX_RESPONSE_MS}`,
        slowest.toFixed(0),
        slowest <= MAX_RESPONSE_MS ? 'yes' : 'no',
      ],
    ],
    notes: [`${times.length} responses; ${times.filter((ms) => ms > MAX_RESPONSE_MS).length} took longer.`],
  }
}

/** Returns the files that tests use as hostile, and large ones that a user may send. */
export const makeCorpus = async (cnp: string): Promise<Files> => ({
  'note.txt': Buffer.from('bine'),
  ...Object.fromEntries(LONG_TEXTS.map(([name, write]) => [`${name}.txt`, Buffer.from(write(cnp))])),
  ...(await makeRunnableFiles()),
  ...makeDisguisedDicoms(),
  ...(await makeHarmfulArchives()),
  ...(await makeUnreadableFiles()),
  'pagini.pdf': await makePdf(2_000),
  'incet.pdf': makeSlowPdf(),
  'mare.png': await makeImage('png', 9_900, 9_900),
})

export async function writeSource(folder: string, name: string, bytes: Uint8Array): Promise<SourceFile> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return { path, name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Takes one file from the registrar's disk to the institution, and returns the last state of its upload. */
async function followFile(
  db: Db,
  product: Product,
  file: SourceFile,
  upload: object,
): Promise<{ state: string; times: Times }> {
  const { client } = product.people.reviewer
  const times: Times = { sent: [], checked: [], opened: [], released: [] }
  const during = async (phase: Phase, work: () => Promise<unknown>) => {
    times[phase] = await probeDuring(product.url, work)
  }
  const id = await createUpload(product.people.reviewer, upload)
  const read = async () =>
    (
      await client.runQuery(
        'query ($id: ID!) { upload(id: $id) { state version files { id } comparison { lines { result } } } }',
        { id },
      )
    ).upload

  await during('sent', () => sendFile(product.url, product.people.reviewer, id, file))
  await during('checked', async () => {
    await submitUpload(product.people.reviewer, id)
    while (await hasJobs(db)) await pause(POLL_PAUSE_MS)
  })
  await during('opened', async () => {
    const [{ id: fileId }] = (await read()).files
    for (const path of [`/files/${fileId}/preview`, `/files/${fileId}`, `/files/zip/${id}`])
      await (await client.fetch(path)).arrayBuffer()
  })
  await during('released', async () => {
    const { state, version } = await read()
    if (state !== 'in_review') return
    const accept = `mutation ($id: ID!, $version: Int!) {
      acceptUpload(id: $id, version: $version, reason: "other", comment: "măsurătoare") { id } }`
    await product.people.colleague.client.runQuery(accept, { id, version })
  })
  return { state: (await read()).state, times }
}

export async function createUpload({ client }: Person, upload: object): Promise<string> {
  const create = 'mutation ($upload: UploadInput!) { createUpload(upload: $upload) { id } }'
  return (await client.runQuery(create, { upload })).createUpload.id
}

export async function sendFile(
  url: string,
  person: Person,
  uploadId: string,
  file: SourceFile,
): Promise<void> {
  const authorization = await bearerOf(person, 'files')
  const send = { how: 'tus' as const, url, files: [file], parallel: 1, uploadIds: [uploadId], authorization }
  await runWorker<SendTask, SendResult>('send-files.ts', send)
}

export const submitUpload = ({ client }: Person, id: string) =>
  client.runQuery('mutation ($id: ID!) { submitUpload(id: $id) { id } }', { id })

async function hasJobs(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pgboss.job where state < 'completed' and name in ('check-upload', 'accept-by-policy') limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Requests `/healthz` at least once, again and again until the work is done. */
async function probeDuring(url: string, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isDone = false
  const probe = async () => {
    do {
      const start = performance.now()
      const response = await fetch(`${url}/healthz`)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`/healthz responded ${response.status}`)
      times.push(performance.now() - start)
      await pause(PROBE_PAUSE_MS)
    } while (!isDone)
  }
  const finish = async () => {
    try {
      await work()
    } finally {
      isDone = true
    }
  }
  await Promise.all([finish(), probe()])
  return times
}
