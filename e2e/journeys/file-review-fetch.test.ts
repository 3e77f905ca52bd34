import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../server/platform/ids.ts'
import type { TestClient } from '../../test/client.ts'
import { ACCEPT_UPLOAD } from '../../test/documents.ts'
import { describe as announce } from '../../test/tus.ts'
import { INSTITUTION, OTHER_INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { type Document, makeReport, makeSeries, readArchive, sha256 } from '../harness/documents.ts'
import { openFlakyProxy } from '../harness/flaky-proxy.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { acceptByKey } from '../harness/review.ts'
import { type Download, expect, type Locator, type Page, test } from '../harness/test.ts'

const MIB = 1024 * 1024
const TITLE = 'Tomografie computerizată toracică'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-files-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

/** Drops files onto the page, as from the desktop. */
async function dropFiles(target: Locator, documents: readonly Document[]): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await target.boundingBox())!
  const browser = await target.page().context().newCDPSession(target.page())
  const data = { items: [], files: documents.map(({ path }) => path), dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
  }
  await browser.detach()
}

/** Whether the canvas has more than one colour. */
const isDrawn = (canvas: Locator): Promise<boolean> =>
  canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement
    const pixels = (element as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height).data
    return new Set(new Uint32Array(pixels.buffer)).size > 1
  })

async function take(page: Page, link: Locator): Promise<Download> {
  const download = page.waitForEvent('download')
  await link.click()
  return download
}

test('a result goes from the registrar through the reviewer to the institution, byte for byte, over a broken connection [6.4]', async ({
  open,
  product,
  expectError,
}) => {
  test.setTimeout(180_000)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport CT.pdf', `${patient.name}, CNP ${patient.cnp}`, 6)
  const series = await makeSeries(folder, 'Serie CT.zip', 60)
  const line = await openFlakyProxy(product.port)

  const registrar = await open(REGISTRAR, { at: line.url })
  const reviewer = await open(REVIEWER)
  const institution = await open(INSTITUTION)
  // Reviewer and institution open their pages first, and never reload them.
  await reviewer.goto('/uploads')
  await institution.goto('/institution')
  await expect(reviewer.getByRole('table', { name: 'Încărcări' })).toHaveAttribute('aria-busy', 'false')
  await expect(institution.getByRole('tab', { name: 'Rezultate' })).toBeVisible()
  for (const page of [reviewer, institution])
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))

  await test.step('the registrar finds the patient', async () => {
    await registrar.goto('/patients')
    await registrar.getByRole('searchbox').fill(patient.name)
    await registrar.keyboard.press('Enter')
    await expect(registrar.getByRole('heading', { level: 1, name: patient.name })).toBeVisible()
  })

  await test.step('drops a PDF and a ZIP; the network breaks in the middle of the ZIP, and the upload resumes', async () => {
    // The browser's message about a broken connection.
    expectError(/net::ERR_/)
    const offsets: number[] = []
    registrar.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
    })
    const cut = line.cutAfter(25 * MIB)
    await expect(registrar.getByText('Trage aici rezultatele pacientului')).toBeVisible()
    // Anywhere on the page, then on the area for files.
    await dropFiles(registrar.getByRole('heading', { level: 1 }), [report])
    await dropFiles(registrar.getByText('Trage aici și alte fișiere'), [series])
    await cut
    const sending = registrar.getByRole('listitem').filter({ hasText: series.name })
    await expect(sending.getByText('Legătura s-a întrerupt, continuă singur')).toBeVisible()
    const half = await product.db.selectFrom('transfer').selectAll().where('name', '=', series.name).execute()
    expect(half).toEqual([expect.objectContaining({ state: 'receiving', size: series.size })])
    line.restore()
    for (const { name } of [report, series])
      await expect(
        registrar.getByRole('listitem').filter({ hasText: name }).getByText('A ajuns ·'),
      ).toBeVisible({ timeout: 60_000 })
    expect(offsets.filter((offset) => offset > MIB)).toHaveLength(1)
  })

  await test.step('enters the details and hands the upload in', async () => {
    await registrar.getByRole('combobox', { name: 'Categorie' }).fill('CT torace')
    await registrar.getByRole('option', { name: /^CT torace/ }).click()
    await registrar.getByLabel('Titlu').fill(TITLE)
    await registrar.getByRole('button', { name: 'Încarcă și trimite la verificare' }).click()
    const filed = registrar
      .getByRole('listitem')
      .filter({ has: registrar.getByRole('heading', { name: TITLE }) })
    await expect(filed.getByText('de verificat')).toBeVisible({ timeout: 60_000 })
  })

  await test.step('the reviewer sees it without reloading, reads it and accepts it with a key', async () => {
    const row = reviewer.getByRole('row').filter({ hasText: patient.name })
    await expect(row.getByText('nou', { exact: true })).toBeVisible()
    await row.getByRole('link', { name: TITLE }).click()
    await expect(reviewer.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
    const firstPage = reviewer.locator('[data-page="1"] canvas')
    await expect(firstPage).toBeVisible()
    expect(await isDrawn(firstPage)).toBe(true)
    await expect(reviewer.getByRole('region', { name: 'Pagina 1', exact: true })).toContainText(patient.cnp!)
    await expect(reviewer.locator('[data-page]')).toHaveCount(6)
    await reviewer.keyboard.press('.')
    await expect(reviewer.getByText('serie/imagine-6.dat')).toBeVisible()
    // The list of an archive is not its content.
    await take(reviewer, reviewer.getByRole('link', { name: 'Descarcă', exact: true }))
    await acceptByKey(reviewer)
    // What is in the archive was not compared.
    await expect(reviewer.getByRole('alertdialog')).toContainText('Fișiere citite numai în parte')
    await reviewer.keyboard.press('1')
    await reviewer.keyboard.type('Am deschis arhiva')
    await reviewer.keyboard.press('Control+Enter')
    await expect(reviewer.getByText(new RegExp(`acceptată: ${patient.name}`))).toBeVisible()
    expect(await reviewer.evaluate(() => 'isSamePage' in window)).toBe(true)
  })

  await test.step('the institution sees it unread without reloading, and downloads exactly those bytes', async () => {
    const result = institution.getByRole('link').filter({ hasText: patient.name })
    await expect(result.getByText('necitit', { exact: true })).toBeVisible()
    await result.click()
    const dialog = institution.getByRole('dialog', { name: patient.name })
    await expect(dialog.locator('[data-page="1"] canvas')).toBeVisible()
    for (const file of [report, series]) {
      const tab = dialog.getByRole('list', { name: 'Fișiere' }).getByRole('button', { name: file.name })
      await tab.click()
      await expect(tab).toHaveAttribute('aria-current', 'true')
      const download = await take(institution, dialog.getByRole('link', { name: 'Descarcă', exact: true }))
      expect(download.suggestedFilename()).toBe(file.name)
      expect(sha256(await readFile(await download.path()))).toBe(file.sha256)
    }
    const all = await take(institution, dialog.getByRole('link', { name: 'Descarcă tot' }))
    // The name from the server's header: the browser once reported no name for a complete download.
    const { 'content-disposition': name } = (await institution.request.head(all.url())).headers()
    expect(name).toMatch(/\.zip$/)
    expect(await readArchive(await all.path())).toEqual({
      [report.name]: report.sha256,
      [series.name]: series.sha256,
    })
    await dialog.getByRole('button', { name: 'Închide' }).click()
    await expect(result.getByText('necitit', { exact: true })).toHaveCount(0)
    expect(await institution.evaluate(() => 'isSamePage' in window)).toBe(true)
  })

  await line.close()
})

/** Returns every property of a response that could distinguish two of them. */
async function readAnswer(response: Response) {
  const headers = Object.fromEntries(response.headers)
  delete headers.date
  return {
    status: response.status,
    headers,
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}

test('a released result does not exist for another institution, on every route [6.4]', async ({
  client,
  product,
}) => {
  const mine = await client(INSTITUTION)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', patient.name, 1)
  const bytes = await readFile(report.path)
  const { uploadId, transfer } = await uploadDocument(await client(REGISTRAR), patient, TITLE, report)
  const read = 'query ($id: ID!) { upload(id: $id) { id state version files { id } } }'
  const reviewer = await client(REVIEWER)
  const { version, files } = (await reviewer.runQuery(read, { id: uploadId })).upload
  await reviewer.runQuery(ACCEPT_UPLOAD, {
    id: uploadId,
    version,
  })
  const fileId = files[0].id
  expect((await mine.runQuery(read, { id: uploadId })).upload.state).toBe('released')
  expect((await mine.fetch(`/files/${fileId}`)).status).toBe(200)

  const otherInstitution = await client(OTHER_INSTITUTION)
  const graphql = (query: string) => async (who: TestClient, id: string) => {
    const { id_token } = await (await who.fetch('/api/token')).json()
    return who.fetch('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${id_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { id } }),
    })
  }
  const send = (
    method: string,
    path: (id: string) => string,
    headers: Record<string, string> = {},
    body?: Buffer,
  ) => {
    return (who: TestClient, id: string) =>
      who.fetch(path(id), {
        method,
        headers: { 'tus-resumable': '1.0.0', ...headers },
        ...(body ? { body: new Uint8Array(body) } : {}),
      })
  }
  const octets = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const unknownId = newId()
  const noTransfer = randomBytes(16).toString('hex')
  const routes: Record<
    string,
    [runQuery: (who: TestClient, id: string) => Promise<Response>, real: string, unreal: string]
  > = {
    'GraphQL upload': [
      graphql('query ($id: ID!) { upload(id: $id) { id title files { id } } }'),
      uploadId,
      unknownId,
    ],
    'GraphQL patient': [graphql('query ($id: ID!) { patient(id: $id) { id name } }'), patient.id, unknownId],
    download: [send('GET', (id) => `/files/${id}`), fileId, unknownId],
    'part of a download': [send('GET', (id) => `/files/${id}`, { range: 'bytes=0-9' }), fileId, unknownId],
    'head of a download': [send('HEAD', (id) => `/files/${id}`), fileId, unknownId],
    'check before a download': [send('GET', (id) => `/files/${id}/check`), fileId, unknownId],
    'check before a ZIP': [send('GET', (id) => `/files/zip/${id}/check`), uploadId, unknownId],
    preview: [send('GET', (id) => `/files/${id}/preview`), fileId, unknownId],
    ZIP: [send('GET', (id) => `/files/zip/${id}`), uploadId, unknownId],
    'tus HEAD': [send('HEAD', (id) => `/files/${id}`), transfer, noTransfer],
    'tus PATCH': [send('PATCH', (id) => `/files/${id}`, octets, bytes), transfer, noTransfer],
    'tus DELETE': [send('DELETE', (id) => `/files/${id}`), transfer, noTransfer],
    'tus POST': [
      (who, id) =>
        who.fetch('/files', {
          method: 'POST',
          headers: {
            'tus-resumable': '1.0.0',
            'upload-length': String(bytes.length),
            'upload-metadata': announce(id, bytes),
          },
        }),
      uploadId,
      unknownId,
    ],
  }
  for (const [route, [send, real, unreal]] of Object.entries(routes)) {
    await test.step(route, async () => {
      const response = await readAnswer(await send(otherInstitution, real))
      expect(response).toEqual(await readAnswer(await send(otherInstitution, unreal)))
      const said = Buffer.from(response.body, 'base64').toString()
      if (route.startsWith('GraphQL')) expect(JSON.parse(said).errors[0].extensions.code).toBe('NOT_FOUND')
      else expect(response.status).toBe(404)
    })
  }
})
