import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { type Document, makeReport, makeSeries } from '../harness/documents.ts'
import {
  beginUpload,
  FILE_ADDRESS,
  hasBytes,
  makeReferredPatient,
  SEND_LABEL,
  sendFiles,
  submittedMessage,
} from '../harness/new-upload.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { expect, type Page, type Route, test } from '../harness/test.ts'

const TITLE = 'Ecografie tiroidiană'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-files-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const makeFile = (name: string) => makeReport(folder, name, `${name} ${Math.random()}`, 1)

async function sendFilesOf(page: Page, patientId: string, files: readonly Document[]): Promise<void> {
  await page.goto(`/patients/${patientId}`)
  await sendFiles(page, files, TITLE)
}

const submittedFiles = async ({ db }: Product, patientId: string) => {
  const rows = await db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .select(['file.name', 'file.sha256'])
    .where('patient_id', '=', patientId)
    .where('upload.state', '!=', 'receiving')
    .orderBy('file.name')
    .execute()
  return rows.map(({ name, sha256 }) => ({ name, sha256: sha256.toString('hex') }))
}
const identity = ({ name, sha256 }: Document) => ({ name, sha256 })

/** What a request of an upload does: `POST`, `POST with bytes`, `PATCH` or the name of its GraphQL operation. */
const stepOf = (route: Route): string => {
  const request = route.request()
  if (request.url().endsWith('/graphql')) return request.postDataJSON()?.operationName
  return request.method() === 'POST' && hasBytes(request) ? 'POST with bytes' : request.method()
}

/** Lets the first request of each step reach the server, calls `attack`, and loses the response. */
async function loseResponses(page: Page, steps: readonly string[], attack: () => Promise<void>) {
  const left = new Set(steps)
  // The page sends files while it saves details: an attack must not meet the request of another step.
  let turn = Promise.resolve()
  await page.route(/\/graphql$|\/files(\/[0-9a-f]+)?$/, async (route) => {
    if (!left.delete(stepOf(route))) return route.fallback()
    turn = turn.then(async () => {
      await route.fetch()
      await attack()
      await route.abort()
    })
    await turn
  })
  return left
}

const STEPS = ['POST with bytes', 'POST', 'PATCH', 'SaveDetails', 'SubmitUpload']

test('an upload is submitted once although the response to each of its requests is lost', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/net::ERR_FAILED/)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const files = [await makeFile('pierdut.pdf'), await makeSeries(folder, 'pierdut.zip', 2)]
  const page = await open(REGISTRAR)
  const left = await loseResponses(page, STEPS, async () => undefined)
  await sendFilesOf(page, patient.id, files)
  await expect(submittedMessage(page)).toBeVisible()
  expect([[...left], await submittedFiles(product, patient.id)]).toEqual([[], files.map(identity)])
})

test('an upload is submitted once although the server is killed after each of its requests', async ({
  open,
  expectError,
}) => {
  expectError(/net::ERR_|WebSocket|status of 50/)
  const product = await startProduct()
  const patient = await makeReferredPatient(product, INSTITUTION)
  const files = [await makeFile('repornit.pdf'), await makeSeries(folder, 'repornit.zip', 2)]
  const page = await open(REGISTRAR, { at: product.url })
  const left = await loseResponses(page, STEPS, async () => {
    await product.kill()
    await product.restart()
  })
  await sendFilesOf(page, patient.id, files)
  await expect(submittedMessage(page)).toBeVisible({ timeout: 90_000 })
  expect([[...left], await submittedFiles(product, patient.id)]).toEqual([[], files.map(identity)])
  await page.close()
  await product.stop()
})

test('a transfer that is locked, gone or elsewhere continues by itself', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/status of (404|409|410|423)/)
  const page = await open(REGISTRAR)
  let status: number | null = null
  await page.route(/\/files\/[0-9a-f]+$/, async (route) => {
    if (status === null || route.request().method() !== 'PATCH') return route.fallback()
    const answer = {
      status,
      headers: { 'tus-resumable': '1.0.0' },
      body: '{"code":"CONFLICT","message":"x"}',
    }
    status = null
    await route.fulfill(answer)
  })
  for (const each of [404, 409, 410, 423]) {
    const patient = await makeReferredPatient(product, INSTITUTION)
    const file = await makeSeries(folder, `eroare-${each}.zip`, 2)
    status = each
    await sendFilesOf(page, patient.id, [file])
    await expect(submittedMessage(page)).toBeVisible()
    expect([status, await submittedFiles(product, patient.id)]).toEqual([null, [identity(file)]])
  }
})

test('a rejected transfer holds the upload until the user sends it again', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/status of (412|507)/)
  const page = await open(REGISTRAR)
  let status: number | null = null
  await page.route(FILE_ADDRESS, async (route) => {
    if (status === null || !hasBytes(route.request())) return route.fallback()
    const body = JSON.stringify({ code: 'UNAVAILABLE', message: 'Nu mai este loc.' })
    const answer = { status, headers: { 'tus-resumable': '1.0.0' }, body }
    status = null
    await route.fulfill(answer)
  })
  for (const each of [412, 507]) {
    const patient = await makeReferredPatient(product, INSTITUTION)
    const files = await Promise.all([makeFile(`respins-${each}.pdf`), makeFile(`bun-${each}.pdf`)])
    status = each
    await sendFilesOf(page, patient.id, files)
    await expect(page.getByText('Nu mai este loc.')).toBeVisible()
    await expect(page.getByText('1 din 2 fișiere')).toBeVisible()
    expect(await submittedFiles(product, patient.id)).toEqual([])
    await page.getByRole('button', { name: /^Încearcă din nou / }).click()
    await expect(submittedMessage(page)).toBeVisible()
    expect(await submittedFiles(product, patient.id)).toEqual(expect.arrayContaining(files.map(identity)))
  }
})

for (const order of ['at once', 'one after the other']) {
  test(`two windows that continue the same upload ${order} submit it once`, async ({
    open,
    client,
    product,
    expectError,
  }) => {
    expectError(/status of (403|409|423)/)
    const patient = await makeReferredPatient(product, INSTITUTION)
    const file = await makeFile('două ferestre.pdf')
    await beginUpload(await client(REGISTRAR), patient, TITLE, file)
    const first = await open(REGISTRAR)
    const second = await first.context().newPage()
    const windows = [first, second].map((page) => ({ page, ...Promise.withResolvers<void>() }))
    for (const { page, promise } of windows) {
      await page.route(/\/files\/[0-9a-f]+$/, async (route) => {
        if (route.request().method() === 'PATCH') await promise
        await route.continue()
      })
      await page.goto(`/patients/${patient.id}`)
      await page.locator('input[type=file]').first().setInputFiles(file.path)
      await page.getByRole('button', { name: 'Continuă de unde a rămas' }).click()
      await page.getByRole('button', { name: SEND_LABEL }).click()
      await expect(page.getByRole('heading', { name: `Se încarcă: ${TITLE}` })).toBeVisible()
    }
    if (order === 'at once') for (const { resolve } of windows) resolve()
    for (const { page, resolve } of windows) {
      resolve()
      await page.bringToFront()
      await expect(page.getByRole('heading', { name: `Se încarcă: ${TITLE}` })).toHaveCount(0)
    }
    expect(await submittedFiles(product, patient.id)).toEqual([identity(file)])
  })
}

test('files of one name with different content are both submitted', async ({ open, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const files = await Promise.all(
    ['unu', 'doi'].map(async (name) => {
      await mkdir(join(folder, name), { recursive: true })
      return makeReport(join(folder, name), 'raport.pdf', name, 1)
    }),
  )
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient.id}`)
  const input = page.locator('input[type=file]').first()
  for (const [index, { path }] of files.entries()) {
    await input.setInputFiles(path)
    await expect(page.getByRole('listitem').filter({ hasText: 'raport.pdf' })).toHaveCount(index + 1)
  }
  await page.getByLabel('Titlu').fill(TITLE)
  await page.getByRole('button', { name: SEND_LABEL }).click()
  await expect(submittedMessage(page)).toBeVisible()
  expect(await submittedFiles(product, patient.id)).toEqual(expect.arrayContaining(files.map(identity)))
})

test('a file changed on the disk after it was chosen is not submitted', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/net::ERR_(UPLOAD_FILE_CHANGED|FAILED)/)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const file = await makeFile('schimbat.pdf')
  const page = await open(REGISTRAR)
  const { promise: changed, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/files$/, async (route) => {
    await changed
    await route.continue()
  })
  await page.goto(`/patients/${patient.id}`)
  await page.locator('input[type=file]').first().setInputFiles(file.path)
  await page.getByLabel('Titlu').fill(TITLE)
  await expect(page.getByText('Se conectează')).toBeVisible()
  await writeFile(file.path, 'alt conținut, al altui pacient')
  release()
  await page.getByRole('button', { name: SEND_LABEL }).click()
  await expect(page.getByText('nu mai poate fi citit')).toBeVisible()
  expect(await submittedFiles(product, patient.id)).toEqual([])
})
