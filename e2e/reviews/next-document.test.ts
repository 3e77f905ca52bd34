import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePdf } from '../../db/demo/pdf.ts'
import type { TestClient } from '../../test/client.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { type Document, sha256 } from '../harness/documents.ts'
import { blockResponses, failResponses } from '../harness/graphql-line.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { setSetting } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { acceptByKey, stateOf } from '../harness/review.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-next-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const READ = 'query ($id: ID!) { upload(id: $id) { version title examinedOn } }'
const EDIT =
  'mutation ($id: ID!, $version: Int!, $upload: UploadInput!) { editUpload(id: $id, version: $version, upload: $upload) { id } }'

/** An upload whose document is one page of this colour. */
type Coloured = { id: string; name: string; colour: string }

const COLOURS = ['#cc0000', '#0000cc', '#007700'] as const

async function makePage(colour: string, text: string): Promise<Document> {
  const { bytes } = await writePdf({ title: 'Raport', at: new Date() }, (document) => {
    document.rect(0, 0, 595, 842).fill(colour)
    document.fillColor('#ffffff').fontSize(18).text(text)
  })
  const name = 'Raport.pdf'
  const path = join(folder, `${colour.slice(1)}.pdf`)
  await writeFile(path, bytes)
  return { path, name, size: bytes.length, sha256: sha256(bytes) }
}

/** Files the last uploads of the queue, one for each colour, in this order. */
async function fileColours(product: Product, registrar: TestClient) {
  const file = async (colour: string): Promise<Coloured> => {
    const patient = await makeReferredPatient(product, INSTITUTION)
    const document = await makePage(colour, patient.name)
    const { uploadId } = await uploadDocument(registrar, patient, 'Ecografie', document)
    return { id: uploadId, name: patient.name, colour }
  }
  const [first, second, third] = COLOURS
  return [await file(first), await file(second), await file(third)] as const
}

const fileOf = async ({ db }: Product, { id }: Coloured) =>
  (await db.selectFrom('file').select('id').where('upload_id', '=', id).executeTakeFirstOrThrow()).id

/** What one frame showed: the patients that it named, and the colour of the first page of the document, if it was there. */
type Frame = { names: string[]; colour: string | null }

declare global {
  var seenFrames: Frame[]
}

/** Records each frame from now on, before its paint and after it. */
const recordFrames = (page: Page, names: string[]) =>
  page.evaluate((all) => {
    globalThis.seenFrames = []
    const hex = (value: number) => value.toString(16).padStart(2, '0')
    const readColour = () => {
      const canvas = document.querySelector<HTMLCanvasElement>('[data-page="1"] canvas')
      if (!canvas) return null
      const [red = 0, green = 0, blue = 0] = canvas
        .getContext('2d')!
        .getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data
      return `#${hex(red)}${hex(green)}${hex(blue)}`
    }
    const { port1, port2 } = new MessageChannel()
    const record = () => {
      // Without the messages, which name the patient of the last verdict.
      const text = document.querySelector('main')?.textContent ?? ''
      seenFrames.push({ names: all.filter((name) => text.includes(name)), colour: readColour() })
    }
    port1.onmessage = record
    const onFrame = () => {
      record()
      port2.postMessage(null)
      requestAnimationFrame(onFrame)
    }
    requestAnimationFrame(onFrame)
  }, names)

/** Expects that no frame showed a document under another patient's name, and that the frames showed all of `seen`. */
async function expectRightDocuments(page: Page, uploads: readonly Coloured[], seen: readonly Coloured[]) {
  const recorded = await page.evaluate(() => seenFrames)
  const wrong = recorded.filter(
    ({ names, colour }) =>
      names.length > 1 ||
      (colour !== null && uploads.some((upload) => names.includes(upload.name) && upload.colour !== colour)),
  )
  expect(wrong).toEqual([])
  for (const { name, colour } of seen) expect(recorded).toContainEqual({ names: [name], colour })
  return recorded
}

const firstPage = (page: Page) => page.locator('[data-page="1"] canvas')
const isPreview = /\/files\/[^/]+\/preview$/
const patientLink = (page: Page, { name }: Coloured) =>
  page.getByRole('main').getByRole('link', { name }).first()

/** Waits until the next document is preloaded and drawn, which nothing in the page says. */
async function waitUntilDrawn(page: Page) {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(2_000)
}

/** Opens the upload and waits until its document is shown, and the next one preloaded and drawn. */
async function openAndPreload(page: Page, { id }: Coloured) {
  const preloaded = page.waitForResponse(
    (response) => isPreview.test(response.url()) && response.request().timing().startTime > 0,
  )
  await page.goto(`/uploads/${id}`)
  await preloaded
  await expect(firstPage(page)).toBeVisible()
  await waitUntilDrawn(page)
}

test('after a verdict the next patient and their document appear in one frame, and never another document', async ({
  open,
  client,
  product,
}) => {
  const uploads = await fileColours(product, await client(REGISTRAR))
  const [first, second, third] = uploads
  const page = await open(REVIEWER)
  // The queue loads the viewer and starts its worker, before a document is opened.
  const worker = page.waitForRequest(/pdf\.worker/)
  await page.goto('/uploads')
  await worker
  await openAndPreload(page, first)
  // The next upload is prepared outside the document.
  expect(await page.content()).not.toContain(second.name)
  await recordFrames(
    page,
    uploads.map(({ name }) => name),
  )
  await acceptByKey(page)
  await expect(patientLink(page, second)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Pagina 1', exact: true })).toContainText(second.name)
  await waitUntilDrawn(page)
  // A key of a prepared upload would open a second dialog.
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await acceptByKey(page)
  await expect(patientLink(page, third)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Pagina 1', exact: true })).toContainText(third.name)
  const recorded = await expectRightDocuments(page, uploads, uploads)
  for (const { name, colour } of [second, third])
    expect(recorded.find(({ names }) => names.includes(name))).toEqual({ names: [name], colour })
  const states = await product.db
    .selectFrom('upload')
    .select('state')
    .where('id', 'in', [first.id, second.id])
    .execute()
  expect(states).toEqual([{ state: 'released' }, { state: 'released' }])
})

test('a prepared upload that gets another patient is shown with that patient alone', async ({
  open,
  client,
  product,
}) => {
  const registrar = await client(REGISTRAR)
  const [first, second] = await fileColours(product, registrar)
  const other = await makeReferredPatient(product, INSTITUTION)
  const page = await open(REVIEWER)
  await openAndPreload(page, first)
  const isReadAgain = page.waitForResponse(
    (response) => response.request().postDataJSON()?.variables?.id === second.id,
  )
  const { version, ...upload } = (await registrar.runQuery(READ, second)).upload
  await registrar.runQuery(EDIT, {
    id: second.id,
    version,
    upload: {
      ...upload,
      institutionId: other.institutionId,
      patientId: other.id,
    },
  })
  await isReadAgain
  await waitUntilDrawn(page)
  await recordFrames(page, [first.name, second.name, other.name])
  await acceptByKey(page)
  await expect(patientLink(page, { ...second, name: other.name })).toBeVisible()
  await page.waitForTimeout(500)
  const seen = await page.evaluate(() => seenFrames)
  // The text of the document names the former patient too.
  expect(seen.filter(({ names }) => names.includes(second.name) && !names.includes(other.name))).toEqual([])
})

test('a slow or refused verdict stays on its upload, with its document', async ({
  open,
  client,
  product,
  expectError,
}) => {
  expectError(/status of 500/)
  const uploads = await fileColours(product, await client(REGISTRAR))
  const [first, second] = uploads
  const page = await open(REVIEWER)
  await openAndPreload(page, first)
  await recordFrames(
    page,
    uploads.map(({ name }) => name),
  )

  const repair = await failResponses(page, 'AcceptUpload')
  await acceptByKey(page)
  await expect(page.getByText('Verdictul nu a fost înregistrat')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(first.id))
  await repair()
  await expectRightDocuments(page, uploads, [first])
  expect(
    await page.evaluate((name) => seenFrames.some(({ names }) => names.includes(name)), second.name),
  ).toBe(false)

  const release = await blockResponses(page, 'AcceptUpload')
  await acceptByKey(page)
  // Neither another verdict nor the next upload while the answer is under way.
  for (const key of ['a', 'n', 'r', 'e']) await page.keyboard.press(key)
  await page.waitForTimeout(1_000)
  await expect(page).toHaveURL(new RegExp(first.id))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(patientLink(page, first)).toBeVisible()
  release()
  await expect(patientLink(page, second)).toBeVisible()
  await expect(firstPage(page)).toBeVisible()
  await expectRightDocuments(page, uploads, [first, second])
})

test('a document that is slow or does not arrive is never replaced by the one before it', async ({
  open,
  client,
  product,
  expectError,
}) => {
  expectError(/ERR_FAILED|status of 5\d\d/)
  const uploads = await fileColours(product, await client(REGISTRAR))
  const [first, second, third] = uploads
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const page = await open(REVIEWER)
  await page.route(`**/files/${await fileOf(product, second)}/preview`, async (route) => {
    await arrived
    await route.continue()
  })
  await page.route(`**/files/${await fileOf(product, third)}/preview`, (route) => route.abort())
  await page.goto(`/uploads/${first.id}`)
  await expect(firstPage(page)).toBeVisible()
  await recordFrames(
    page,
    uploads.map(({ name }) => name),
  )
  await acceptByKey(page)
  await expect(patientLink(page, second)).toBeVisible()
  await page.waitForTimeout(500)
  await expect(firstPage(page)).toHaveCount(0)
  arrive()
  await expect(firstPage(page)).toBeVisible()
  await acceptByKey(page)
  await expect(patientLink(page, third)).toBeVisible()
  await expect(page.getByText('Documentul nu poate fi afișat')).toBeVisible()
  const recorded = await expectRightDocuments(page, uploads, [first, second])
  expect(recorded).toContainEqual({ names: [third.name], colour: null })
})

test('a document whose preload has failed is loaded when it is shown', async ({
  open,
  client,
  product,
  expectError,
}) => {
  expectError(/ERR_FAILED/)
  const uploads = await fileColours(product, await client(REGISTRAR))
  const [first, second] = uploads
  const page = await open(REVIEWER)
  const file = await fileOf(product, second)
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes(file))
  await page.route(`**/files/${file}/preview`, (route) => route.abort(), { times: 1 })
  await page.goto(`/uploads/${first.id}`)
  await failed
  await acceptByKey(page)
  await expect(patientLink(page, second)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Pagina 1', exact: true })).toContainText(second.name)
})

test('the key undoes nothing while a verdict is being sent, and then that verdict', async ({
  open,
  client,
  product,
}) => {
  const restore = await setSetting(product, 'undo_seconds', 10)
  try {
    const uploads = await fileColours(product, await client(REGISTRAR))
    const [first, second, third] = uploads
    const page = await open(REVIEWER)
    await openAndPreload(page, first)
    await acceptByKey(page)
    await expect(patientLink(page, second)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Anulează (Z)' })).toBeVisible()
    const release = await blockResponses(page, 'AcceptUpload')
    await acceptByKey(page)
    await page.keyboard.press('z')
    await page.waitForTimeout(500)
    await expect(patientLink(page, second)).toBeVisible()
    release()
    await expect(patientLink(page, third)).toBeVisible()
    await page.keyboard.press('z')
    await expect(page.getByText(`acceptată: ${second.name}. Este din nou de verificat.`)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(second.id))
    expect(await stateOf(product, second.id)).toBe('in_review')
    expect(await stateOf(product, first.id)).toMatch(/^(accepted|released)$/)
  } finally {
    await restore()
  }
})

test('after a verdict whose answer was lost the key undoes none, since it may be the last', async ({
  open,
  client,
  product,
  expectError,
}) => {
  expectError(/ERR_FAILED/)
  const restore = await setSetting(product, 'undo_seconds', 10)
  try {
    const uploads = await fileColours(product, await client(REGISTRAR))
    const [first, second] = uploads
    const page = await open(REVIEWER)
    await openAndPreload(page, first)
    await acceptByKey(page)
    await expect(page.getByRole('button', { name: 'Anulează (Z)' })).toBeVisible()
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'AcceptUpload') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await acceptByKey(page)
    await expect(page.getByText('Nu se știe dacă verdictul a fost înregistrat')).toBeVisible()
    await page.keyboard.press('z')
    await page.waitForTimeout(500)
    for (const { id } of [first, second]) expect(await stateOf(product, id)).toMatch(/^(accepted|released)$/)
  } finally {
    await restore()
  }
})

test('nothing is accepted while a dialog that was opened is loading', async ({ open, client, product }) => {
  const [first] = await fileColours(product, await client(REGISTRAR))
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>()
  const page = await open(REVIEWER)
  await page.route('**/assets/review-dialogs-*.js', async (route) => {
    await loaded
    await route.continue()
  })
  await page.goto(`/uploads/${first.id}`)
  await expect(firstPage(page)).toBeVisible()
  const accept = page.getByRole('toolbar', { name: 'Verdict' }).getByRole('button', { name: 'Acceptă' })
  await expect(accept).toBeEnabled()
  await accept.focus()
  await page.keyboard.press('r')
  await page.keyboard.press('Enter')
  load()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await stateOf(product, first.id)).toBe('in_review')
})
