import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeInstitution } from '../../db/factories.ts'
import { DELIVERY_NAMES } from '../../shared/site/setting-bounds.ts'
import { type MailServer, startMailServer } from '../../test/mail.ts'
import { CREATE_SHARE } from '../../test/shares/share-world.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { ADMIN, DEMO_PASSWORD, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { sha256 } from '../harness/documents.ts'
import { releaseReport } from '../harness/new-upload.ts'
import { makeClerk, setSetting } from '../harness/people.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const SENDER = { name: 'Rezultate „Cedrul”', address: 'rezultate@cedrul.test' }
const TIME = String.raw`\d\d\.\d\d\.\d{4}, \d\d:\d\d`

// A separate product, with a mail server.
let mail: MailServer
let product: Product
let folder: string
test.beforeAll(async () => {
  mail = await startMailServer()
  product = await startProduct({ SMTP_URL: mail.url })
  await setSetting(product, 'from_name', SENDER.name)
  await setSetting(product, 'from_email', SENDER.address)
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-mail-'))
})
test.afterAll(async () => {
  await product.stop()
  await mail.stop()
  await rm(folder, { recursive: true, force: true })
  expect(product.faults()).toEqual([])
})

const clients = async () =>
  [await signInClient(product.url, REGISTRAR), await signInClient(product.url, REVIEWER)] as const
const fileHash = async (id: string) =>
  (await product.db.selectFrom('file').select('sha256').where('id', '=', id).executeTakeFirstOrThrow())
    .sha256!

test('an institution is announced its results by mail, reads exactly these, and the ledger has each step of each recipient [1.5]', async ({
  open,
}) => {
  const institution = await makeInstitution(product.db, { name: 'Clinica Șoimul' })
  const [ana, ion, dan] = [
    await makeClerk(product, 'Ana Pop', institution.id),
    await makeClerk(product, 'Ion Rus', institution.id),
    await makeClerk(product, 'Dan Oltean', institution.id),
  ]
  const chooser = await open(dan.email, { at: product.url })
  await chooser.goto('/institution')
  await chooser.getByRole('button', { name: /^Contul meu/ }).click()
  await chooser.getByRole('menuitem', { name: 'Setările contului' }).click()
  await chooser.getByRole('button', { name: /Clinica Șoimul/ }).click()
  await chooser.getByRole('option', { name: DELIVERY_NAMES.none }).click()
  await expect(chooser.getByText('Alegerea este salvată')).toBeVisible()
  const [registrar, reviewer] = await clients()
  const first = await releaseReport(product, registrar, reviewer, folder, ana.email)
  const second = await releaseReport(product, registrar, reviewer, folder, ana.email)
  /** What the digests to an address have announced: two, if the minute has ended between the releases. */
  const announced = (email: string) =>
    mail.arrived
      .filter(({ recipients }) => recipients.includes(email))
      .reduce((sum, { mail: { text } }) => sum + Number(/^– (\d+) rezultate? nou?/m.exec(text!)?.[1]), 0)
  // Each minute.
  for (const { email } of [ana, ion]) await expect.poll(() => announced(email), { timeout: 100_000 }).toBe(2)
  const { mail: digest, sender, link } = await mail.waitFor(ana.email)
  expect([digest.from, sender]).toEqual([SENDER, SENDER.address])
  expect(announced(dan.email)).toBe(0)
  for (const { raw } of mail.arrived)
    for (const { patient } of [first, second]) expect(raw).not.toContain(patient.name.split(' ')[0])

  const page = await open(null, { at: product.url })
  await page.goto(link!)
  await page.getByLabel('E-mail', { exact: true }).fill(ana.email)
  await page.getByLabel('Parolă', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Autentificare' }).click()
  const rows = page.locator('[data-result]')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(link!)
  for (const { uploadId, patient } of [first, second])
    await expect(page.locator(`[data-result="${uploadId}"]`)).toContainText(patient.name)
  await page.locator(`[data-result="${first.uploadId}"]`).getByRole('link').click()
  const result = page.getByRole('dialog', { name: first.patient.name })
  await expect(result.locator('[data-page="1"] canvas')).toBeVisible()
  const download = page.waitForEvent('download')
  await result.getByRole('link', { name: 'Descarcă', exact: true }).click()
  const bytes = await readFile(await (await download).path())
  expect(sha256(bytes)).toBe((await fileHash(first.fileId)).toString('hex'))

  const staff = await open(ADMIN, { at: product.url })
  await staff.goto(`/uploads/${first.uploadId}`)
  await staff.getByRole('button', { name: 'Arată cine a fost anunțat și cine a deschis' }).click()
  const ledger = staff.getByRole('region', { name: 'Livrare' })
  for (const step of ['Primită', 'Controlată', 'Acceptată', 'Eliberată'])
    await expect(ledger.locator('dl')).toContainText(new RegExp(step + TIME))
  const stepsOf = (name: string) =>
    ledger
      .getByRole('listitem')
      .filter({ has: staff.getByText(name, { exact: true }) })
      .last()
  for (const { name } of [ana, ion])
    await expect(stepsOf(name)).toContainText(new RegExp(`Mesaj primit de serverul de e-mail la ${TIME}`))
  await expect(stepsOf(ana.name)).toContainText(
    new RegExp(`A deschis-o la ${TIME}, a descărcat-o la ${TIME}`),
  )
  await expect(stepsOf(ion.name)).toContainText('Nu a deschis-o')
  await expectAccessible(staff)

  // What is not opened is announced again to all institutions at once.
  await staff.goto('/institutions?tab=nedeschise')
  const again = staff.getByRole('button', { name: 'Anunță din nou' })
  await expect(again).toBeDisabled()
  await staff.getByText('Alege toate', { exact: true }).click()
  await expect(staff.getByRole('checkbox', { name: 'Alege Clinica Șoimul' })).toBeChecked()
  await again.click()
  await expect(staff.getByText(/^Anunț trimis la/)).toBeVisible()
})

test('a recipient proves who they are by a mailed code or by the birth date; wrong ones lock the page [2.14] [3.2]', async ({
  open,
}) => {
  const email = 'medic@exemplu.test'
  const [registrar, reviewer] = await clients()
  const { patient, uploadId } = await releaseReport(product, registrar, reviewer, folder)
  await product.db
    .updateTable('patient')
    .set({ birth_date: '1961-04-23' })
    .where('id', '=', patient.id)
    .execute()
  const admin = await signInClient(product.url, ADMIN)
  /** Shares the result by mail, and returns the link in it. */
  const share = async (proof: 'email' | 'birth_date', count: number) => {
    const input = {
      patientId: patient.id,
      uploadIds: [uploadId],
      recipientKind: 'doctor',
      recipientName: 'Dr. Ana Pop',
      channel: 'mail',
      email,
      proof,
      reason: 'cererea pacientului',
    }
    await admin.runQuery(CREATE_SHARE, { input })
    const { mail: sent, link, raw } = await mail.waitFor(email, count)
    expect(sent.from).toEqual(SENDER)
    expect(link).toMatch(new RegExp(`^${product.url}/s/[\\w-]{43}$`))
    for (const secret of [patient.name, patient.cnp, 'Ecografie']) expect(raw).not.toContain(secret)
    return link!
  }
  const openLink = async (link: string) => {
    const page = await open(null, { at: product.url, viewport: { width: 360, height: 740 } })
    await page.goto(link)
    return page
  }
  const submit = (page: Page) => page.getByRole('button', { name: 'Vedeți rezultatele' }).click()
  const results = (page: Page) => page.getByRole('heading', { name: 'Ecografie' })
  const expectTries = async (page: Page, left: number, sentence: string) => {
    await expect(page.getByRole('alert')).toContainText(sentence)
    await expect(page.getByRole('alert')).toContainText(
      left === 1 ? 'Mai aveți o singură încercare.' : `Mai aveți ${left} încercări.`,
    )
  }
  /** The fifth wrong proof locks the page: it shows why to the recipient, who has proved it before, and not to a stranger. */
  const expectLocked = async (
    stranger: Page,
    recipient: Page,
    proveWrong: (page: Page) => Promise<void>,
    wrong: string,
  ) => {
    for (const left of [3, 2, 1]) {
      await proveWrong(stranger)
      await expectTries(stranger, left, wrong)
    }
    await proveWrong(stranger)
    await expect(stranger.getByRole('heading', { name: 'Pagina nu se poate deschide' })).toBeVisible()
    await recipient.reload()
    await expect(
      recipient.getByRole('heading', { name: 'Pagina este blocată pentru câteva minute' }),
    ).toBeVisible()
    await expect(recipient.getByRole('alert')).toContainText('Se deschide din nou pe')
    await expectAccessible(recipient)
  }

  await test.step('the code in a mail', async () => {
    const wrong = 'Codul nu este cel trimis ultima dată sau a expirat.'
    const link = await share('email', 1)
    const page = await openLink(link)
    await expect(page.getByRole('status')).toHaveText(
      'Primiți un cod la m•••@exemplu.test și îl scrieți aici.',
    )
    await expect(page.getByRole('button', { name: 'Vedeți rezultatele' })).toHaveCount(0)
    const send = (each: Page) => each.getByRole('button', { name: 'Trimiteți codul pe e-mail' }).click()
    await send(page)
    await expect(page.getByRole('status')).toContainText('Codul a fost trimis la m•••@exemplu.test.')
    const { mail: sent } = await mail.waitFor(email, 2)
    expect(sent.from).toEqual(SENDER)
    const code = /\b\d{6}\b/.exec(sent.text!)![0]
    const type = async (each: Page, value: string) => {
      await each.getByLabel('Codul din e-mail').fill(value)
      await submit(each)
    }
    const wrongCode = code === '000000' ? '000001' : '000000'
    await type(page, wrongCode)
    await expectTries(page, 4, wrong)
    await expectAccessible(page)
    await type(page, code)
    await expect(results(page)).toBeVisible()
    const stranger = await openLink(link)
    await send(stranger)
    await expectLocked(stranger, page, (each) => type(each, wrongCode), wrong)
  })

  await test.step('the birth date', async () => {
    const wrong = 'Data nașterii nu se potrivește.'
    const link = await share('birth_date', 3)
    const page = await openLink(link)
    const type = async (each: Page, day: string, month: string) => {
      for (const [label, value] of [
        ['Ziua', day],
        ['Luna', month],
        ['Anul', '1961'],
      ] as const)
        await each.getByLabel(label).fill(value)
      await submit(each)
    }
    await type(page, '31', '2')
    await expect(page.getByRole('alert')).toContainText('Data aceasta nu există în calendar.')
    await type(page, '22', '4')
    await expectTries(page, 4, wrong)
    await expectAccessible(page)
    // The whole date in the field of the day.
    await page.getByLabel('Ziua').fill('23041961')
    await expect(page.getByLabel('Luna')).toHaveValue('04')
    await expect(page.getByLabel('Anul')).toHaveValue('1961')
    await submit(page)
    await expect(results(page)).toBeVisible()
    await expectLocked(await openLink(link), page, (each) => type(each, '22', '4'), wrong)
  })
})
