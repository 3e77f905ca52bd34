import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestClient } from '../../test/client.ts'
import { WITHDRAW_UPLOAD } from '../../test/documents.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, OTHER_INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReferredPatient, releaseReport } from '../harness/new-upload.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-refused-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const withdraw = (reviewer: TestClient, id: string) => reviewer.runQuery(WITHDRAW_UPLOAD, { id })

async function openResult(page: Page, uploadId: string, name: string) {
  await page.goto(`/institution?upload=${uploadId}`)
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog.locator('[data-page="1"] canvas')).toBeVisible()
  return dialog
}

test('one click on a download leaves one row in the audit log', async ({ open, client, product }) => {
  const admin = await client(ADMIN)
  const { uploadId, fileId, patient } = await releaseReport(
    product,
    await client(REGISTRAR),
    await client(REVIEWER),
    folder,
  )
  const page = await open(INSTITUTION)
  const dialog = await openResult(page, uploadId, patient.name)
  const download = page.waitForEvent('download')
  await dialog.getByRole('link', { name: 'Descarcă', exact: true }).first().click()
  await (await download).path()
  const read = `query ($patientId: ID!) {
    auditEvents(patientId: $patientId, first: 50) { nodes { action subjectId } } }`
  const { nodes } = (await admin.runQuery(read, { patientId: patient.id })).auditEvents
  expect(nodes.filter(({ action }: { action: string }) => action === 'file.download')).toEqual([
    { action: 'file.download', subjectId: fileId },
  ])
})

test('a denied download shows an error on the page and does not leave the page', async ({
  open,
  client,
  product,
  expectError,
}) => {
  expectError(/status of 404 /)
  const reviewer = await client(REVIEWER)
  const { uploadId, patient } = await releaseReport(product, await client(REGISTRAR), reviewer, folder)
  const page = await open(INSTITUTION)
  // No event reaches this page: it still shows the withdrawn result.
  await page.routeWebSocket(/\/graphql/, () => undefined)
  const dialog = await openResult(page, uploadId, patient.name)
  await withdraw(reviewer, uploadId)
  await dialog.getByRole('link', { name: 'Descarcă' }).first().click()
  await expect(page.getByText('Fișierul nu a fost descărcat')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/institution\\?upload=${uploadId}`))
  await expectAccessible(page)
})

test('the address of a missing file is the product’s error page in a browser, and JSON for a program', async ({
  open,
  client,
  product,
  expectError,
}) => {
  expectError(/status of (401|404) /)
  const reviewer = await client(REVIEWER)
  const { uploadId, fileId } = await releaseReport(product, await client(REGISTRAR), reviewer, folder)
  for (const [who, status, heading] of [
    [OTHER_INSTITUTION, 404, 'Fișierul nu poate fi deschis'],
    [null, 401, 'Fișierul nu poate fi deschis'],
  ] as const) {
    const page = await open(who)
    for (const path of [`/files/${fileId}`, `/files/${fileId}/preview`, `/files/zip/${uploadId}`]) {
      const response = await page.goto(path)
      expect([path, response?.status()]).toEqual([path, status])
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.getByText('"code"')).toHaveCount(0)
    }
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Mergi la prima pagină' }).click()
    await expect(page).toHaveURL(who ? '/institution' : '/')
  }
  const other = await client(OTHER_INSTITUTION)
  const bare = await other.fetch(`/files/${fileId}`)
  expect(bare.status).toBe(404)
  expect(await bare.json()).toMatchObject({ code: 'NOT_FOUND' })
})

test('an invitation opened in another user’s session says so and can be opened after signing out [6.2]', async ({
  open,
  client,
  product,
}) => {
  const admin = await client(ADMIN)
  const { institutionId } = await makeReferredPatient(product, INSTITUTION)
  const invitation = {
    name: 'Ilinca Țurcanu',
    email: `invitat-${Date.now()}@dosar.test`,
    role: 'institution',
    institutionIds: [institutionId],
  }
  const invite = 'mutation ($invitation: UserInput!) { inviteUser(invitation: $invitation) { link } }'
  const { link } = (await admin.runQuery(invite, { invitation })).inviteUser
  const page = await open(INSTITUTION)
  await page.goto(new URL(link).pathname)
  await expect(page).toHaveURL('/institution')
  const notice = page.getByRole('alert').filter({ hasText: 'Linkul este pentru alt cont' })
  await expect(notice).toContainText('Deconectați-vă ca să îl deschideți')
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'Deconectare și deschidere' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Alege parola' })).toBeVisible()
  await expect(page.getByText('Ilinca Țurcanu')).toBeVisible()
})
