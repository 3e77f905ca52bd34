import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CREATE_UPLOAD } from '../../test/documents.ts'
import { tusRequests } from '../../test/tus.ts'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { makeReport, makeSeries } from '../harness/documents.ts'
import {
  beginUpload,
  chooseFiles,
  FILE_ADDRESS,
  hasBytes,
  makeReferredPatient,
  SEND_LABEL,
  sendFiles,
  submittedMessage,
} from '../harness/new-upload.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, type Route, test } from '../harness/test.ts'

const TITLE = 'Ecografie tiroidiană'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-files-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const makeFiles = (...names: string[]) =>
  Promise.all(names.map((name) => makeReport(folder, name, `${name} ${Math.random()}`, 1)))

const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
/** Holds requests of the page back until `release` is called, or forever. */
async function hold(
  page: Page,
  address: RegExp,
  isHeld: (route: Route) => boolean | Promise<boolean> = () => true,
) {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  let count = 0
  await page.route(address, async (route) => {
    if (await isHeld(route)) {
      count += 1
      await promise
      // A request that the page has aborted cannot be continued.
      return route.continue().catch(() => undefined)
    }
    await route.fallback()
  })
  return { count: () => count, release }
}

const isMutation = (name: string) => (route: Route) => route.request().postDataJSON()?.operationName === name
const GRAPHQL = /\/graphql$/

const fileNames = async ({ db }: Product, patientId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .select('file.name')
    .where('patient_id', '=', patientId)
    .where('upload.state', '!=', 'receiving')
    .where('file.removed_at', 'is', null)
    .orderBy('file.name')
    .execute()
  return rows.map(({ name }) => name)
}
const uploadsOf = ({ db }: Product, patientId: string) =>
  db.selectFrom('upload').select(['id', 'state']).where('patient_id', '=', patientId).execute()

/** Delays the bytes of the files with these names: `before` they reach the server, or `after` it has responded. */
async function holdBytes(page: Page, held: Record<string, 'before' | 'after'>) {
  const names = new Map<string, string>()
  const releases = new Map(Object.keys(held).map((name) => [name, Promise.withResolvers<void>()]))
  const reached = new Map(Object.keys(held).map((name) => [name, Promise.withResolvers<void>()]))
  await page.route(FILE_ADDRESS, async (route) => {
    const request = route.request()
    const encoded = /filename ([A-Za-z0-9+/=]+)/.exec(request.headers()['upload-metadata'] ?? '')?.[1]
    const name = encoded
      ? Buffer.from(encoded, 'base64').toString()
      : (names.get(new URL(request.url()).pathname) ?? '')
    const when = hasBytes(request) ? held[name] : undefined
    if (when === 'before') {
      reached.get(name)!.resolve()
      await releases.get(name)!.promise
      return route.continue().catch(() => undefined)
    }
    const response = await route.fetch()
    names.set(response.headers().location ?? '', name)
    if (when) {
      reached.get(name)!.resolve()
      await releases.get(name)!.promise
    }
    await route.fulfill({ response }).catch(() => undefined)
  })
  return {
    reached: (name: string) => reached.get(name)!.promise,
    release: (name: string) => releases.get(name)!.resolve(),
  }
}

for (const when of ['before', 'after'] as const) {
  for (const size of ['small', 'large']) {
    test(`a ${size} file removed ${when} its bytes arrive is not submitted`, async ({
      open,
      product,
      expectError,
    }) => {
      expectError(/status of 403/)
      const patient = await makeReferredPatient(product, INSTITUTION)
      const page = await open(REGISTRAR)
      const [kept, small] = await makeFiles('ramane.pdf', 'greșit.pdf')
      const wrong = size === 'small' ? small! : await makeSeries(folder, 'greșit.zip', 2)
      const bytes = await holdBytes(page, { 'ramane.pdf': 'before', [wrong.name]: when })
      await page.goto(`/patients/${patient.id}`)
      await sendFiles(page, [kept!, wrong], TITLE)
      await bytes.reached(wrong.name)
      await page.getByRole('button', { name: `Scoate ${wrong.name}` }).click()
      // A small file is on its way with its announcement: the page waits for the response.
      if (size === 'small') await expect(rowOf(page, wrong.name)).toContainText('Se scoate')
      if (size === 'small') bytes.release(wrong.name)
      await expect(rowOf(page, wrong.name)).toHaveCount(0)
      expect(await uploadsOf(product, patient.id)).toMatchObject([{ state: 'receiving' }])
      bytes.release(wrong.name)
      bytes.release('ramane.pdf')
      await expect(submittedMessage(page)).toBeVisible()
      expect(await fileNames(product, patient.id)).toEqual(['ramane.pdf'])
    })
  }
}

test('a small file whose response never comes can be removed', async ({ open, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REGISTRAR)
  const bytes = await holdBytes(page, { 'ramane.pdf': 'before', 'greșit.pdf': 'after' })
  await page.goto(`/patients/${patient.id}`)
  await sendFiles(page, await makeFiles('ramane.pdf', 'greșit.pdf'), TITLE)
  await bytes.reached('greșit.pdf')
  await page.getByRole('button', { name: 'Scoate greșit.pdf' }).click()
  await expect(rowOf(page, 'greșit.pdf')).toHaveCount(0, { timeout: 20_000 })
  bytes.release('ramane.pdf')
  await expect(submittedMessage(page)).toBeVisible()
  expect(await fileNames(product, patient.id)).toEqual(['ramane.pdf'])
})

test('the second of two identical files is submitted when the first is removed', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/status of 403/)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const [first, other] = await makeFiles('prima.pdf', 'alta.pdf')
  const copy = { ...first!, name: 'copia.pdf', path: join(folder, 'copia.pdf') }
  await copyFile(first!.path, copy.path)
  const page = await open(REGISTRAR)
  const bytes = await holdBytes(page, { 'prima.pdf': 'before', 'alta.pdf': 'before' })
  await page.goto(`/patients/${patient.id}`)
  await sendFiles(page, [first!, copy, other!], TITLE)
  await bytes.reached('prima.pdf')
  await expect(rowOf(page, 'copia.pdf').getByText('Același conținut ca „prima.pdf”')).toBeVisible()
  await page.getByRole('button', { name: 'Scoate prima.pdf' }).click()
  bytes.release('prima.pdf')
  await expect(rowOf(page, 'copia.pdf').getByText('A ajuns ·')).toBeVisible()
  bytes.release('alta.pdf')
  await expect(submittedMessage(page)).toBeVisible()
  expect(await fileNames(product, patient.id)).toEqual(['alta.pdf', 'copia.pdf'])
})

test('while an upload is created, no other upload can be continued', async ({ open, client, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const [file] = await makeFiles('început.pdf')
  const begunId = await beginUpload(await client(REGISTRAR), patient, 'Începută ieri', file!)
  const page = await open(REGISTRAR)
  const creation = await hold(page, GRAPHQL, isMutation('CreateUpload'))
  await page.goto(`/patients/${patient.id}`)
  await sendFiles(page, [file!], TITLE)
  await expect.poll(creation.count).toBe(1)
  const resume = page.getByRole('button', { name: 'Continuă de unde a rămas' })
  await expect(resume).toBeDisabled()
  for (const choose of await page.getByRole('button', { name: 'Alege fișiere' }).all())
    await expect(choose).toBeDisabled()
  creation.release()
  await expect(submittedMessage(page)).toBeVisible()
  expect(await uploadsOf(product, patient.id)).toEqual(
    expect.arrayContaining([
      { id: begunId, state: 'receiving' },
      { id: expect.not.stringMatching(begunId), state: expect.not.stringMatching('receiving') },
    ]),
  )
})

test('an upload that is created after its page was left gets no file and is withdrawn', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REGISTRAR)
  const creation = await hold(page, GRAPHQL, isMutation('CreateUpload'))
  await page.goto(`/patients/${patient.id}`)
  await sendFiles(page, await makeFiles('plecat.pdf'), TITLE)
  await expect.poll(creation.count).toBe(1)
  await page.getByRole('navigation', { name: 'Principală' }).getByRole('link', { name: 'Pacienți' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pleacă oricum' }).click()
  await expect(page.getByRole('searchbox', { name: 'Caută un pacient' })).toBeVisible()
  creation.release()
  await expect
    .poll(() => uploadsOf(product, patient.id))
    .toEqual([{ id: expect.any(String), state: 'withdrawn' }])
})

test('a file missing from a continued upload stays missing until the user decides', async ({
  open,
  client,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const [chosen, lost] = await makeFiles('ales.pdf', 'lipsă.pdf')
  const registrar = await client(REGISTRAR)
  const upload = { title: TITLE, patientId: patient.id, institutionId: patient.institutionId }
  const uploadId = (await registrar.runQuery(CREATE_UPLOAD, { upload })).createUpload.id
  const tus = tusRequests(registrar.fetch)
  const addresses: string[] = []
  for (const file of [chosen!, lost!]) {
    const bytes = await readFile(file.path)
    const address = await tus.begin(uploadId, bytes, file.name)
    await tus.patch(address, 0, bytes.subarray(0, 100))
    addresses.push(address)
  }
  const page = await open(REGISTRAR)
  const patches = await hold(page, /\/files\//, (route) => route.request().method() === 'PATCH')
  await page.goto(`/patients/${patient.id}`)
  await expect(page.getByText('Alege din nou aceleași fișiere')).toBeVisible()
  await chooseFiles(page, [chosen!])
  await page.getByRole('button', { name: 'Continuă de unde a rămas' }).click()
  await page.getByRole('button', { name: SEND_LABEL }).click()
  const missing = page.getByText('1 fișier mai lipsește din această încărcare')
  await expect(missing).toBeVisible()
  expect((await tus.terminate(addresses[1]!)).status).toBe(204)
  await expect.poll(patches.count).toBe(1)
  const reloaded = page.waitForResponse(
    (response) =>
      GRAPHQL.test(response.url()) && response.request().postDataJSON().operationName === 'PatientUploads',
  )
  patches.release()
  await reloaded
  await expect(rowOf(page, 'ales.pdf').getByText('A ajuns ·')).toBeVisible()
  await expect(missing).toBeVisible()
  expect(await uploadsOf(product, patient.id)).toEqual([{ id: uploadId, state: 'receiving' }])
  await page.getByRole('button', { name: 'Trimite fără el' }).click()
  await expect(submittedMessage(page)).toBeVisible()
  expect(await fileNames(product, patient.id)).toEqual(['ales.pdf'])
})

test('a file that arrived from another window is shown before the upload is submitted', async ({
  open,
  client,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const [own, other] = await makeFiles('aici.pdf', 'altundeva.pdf')
  const page = await open(REGISTRAR)
  const bytes = await holdBytes(page, { 'aici.pdf': 'before' })
  await page.goto(`/patients/${patient.id}`)
  await sendFiles(page, [own!], TITLE)
  await bytes.reached('aici.pdf')
  const [upload] = await uploadsOf(product, patient.id)
  const tus = tusRequests((await client(REGISTRAR)).fetch)
  const others = await readFile(other!.path)
  expect((await tus.patch(await tus.begin(upload!.id, others, other!.name), 0, others)).status).toBe(204)
  bytes.release('aici.pdf')
  await expect(page.getByText('nu erau în listă')).toBeVisible()
  await expect(rowOf(page, 'altundeva.pdf')).toBeVisible()
  expect(await uploadsOf(product, patient.id)).toMatchObject([{ state: 'receiving' }])
  await page.getByRole('button', { name: 'Trimite la verificare' }).click()
  await expect(submittedMessage(page)).toBeVisible()
  expect(await fileNames(product, patient.id)).toEqual(['aici.pdf', 'altundeva.pdf'])
})

test('an upload withdrawn in another window is not shown as submitted', async ({ open, client, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REGISTRAR)
  const submission = await hold(page, GRAPHQL, isMutation('SubmitUpload'))
  await page.goto(`/patients/${patient.id}`)
  await sendFiles(page, await makeFiles('retras.pdf'), TITLE)
  await expect.poll(submission.count).toBe(1)
  const [upload] = await uploadsOf(product, patient.id)
  const withdraw = 'mutation ($id: ID!) { withdrawUpload(id: $id) { id } }'
  await (await client(REGISTRAR)).runQuery(withdraw, { id: upload!.id })
  submission.release()
  await expect(page.getByText('Încărcarea nu a fost trimisă la verificare')).toBeVisible()
  await expect(submittedMessage(page)).toHaveCount(0)
})

test('an upload whose submission got no response is shown as submitted', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/net::ERR_FAILED/)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REGISTRAR)
  let isLost = false
  await page.route(GRAPHQL, async (route) => {
    if (isLost || !isMutation('SubmitUpload')(route)) return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  await page.goto(`/patients/${patient.id}`)
  await sendFiles(page, await makeFiles('pierdut.pdf'), TITLE)
  await expect(submittedMessage(page)).toBeVisible()
  expect(await fileNames(product, patient.id)).toEqual(['pierdut.pdf'])
})

test('a server that never responds ends the wait for a new upload with a message', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REGISTRAR)
  await page.clock.install()
  const creation = await hold(page, GRAPHQL, isMutation('CreateUpload'))
  await page.goto(`/patients/${patient.id}`)
  await sendFiles(page, await makeFiles('agățat.pdf'), TITLE)
  await expect.poll(creation.count).toBe(1)
  await page.clock.fastForward(61_000)
  await expect(page.getByRole('alert').filter({ hasText: 'Serverul nu a răspuns' })).toBeVisible()
  await expect(page.getByRole('button', { name: SEND_LABEL })).toBeEnabled()
})

test('a first connection that never responds is replaced, and the row says so', async ({ open, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REGISTRAR)
  await page.clock.install()
  const begins = await hold(page, /\/files$/)
  await page.goto(`/patients/${patient.id}`)
  await sendFiles(page, await makeFiles('mort.pdf'), TITLE)
  await expect.poll(begins.count).toBe(1)
  await expect(rowOf(page, 'mort.pdf').getByText('Se conectează')).toBeVisible()
  await page.clock.fastForward(30_000)
  await expect(rowOf(page, 'mort.pdf').getByText('Serverul nu răspunde')).toBeVisible()
  await expect.poll(begins.count).toBe(2)
})
