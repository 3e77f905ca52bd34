import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { expect, type Page, test } from '../harness/test.ts'

const REQUEST = 'mutation ($request: AccessRequestInput!) { requestAccess(request: $request) }'
const REFUSE = 'mutation ($id: ID!) { refuseAccessRequest(id: $id, refusal: neutral) { id } }'
const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 360, height: 800 }

const bell = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const list = (page: Page) => page.getByRole('dialog', { name: 'Ce este nou' })
const NOTHING_NEW = 'Nicio noutate'

/** Opens the list, which marks what it shows as seen, and closes it by key. */
async function seeAll(page: Page): Promise<void> {
  await bell(page, /noutate$|noutăți$/).press('Enter')
  await expect(list(page).getByRole('heading', { name: 'Ce este nou' })).toBeVisible()
  // Hidden from readers of the screen while the list is open.
  await expect(page.locator(`[aria-label="${NOTHING_NEW}"]`).first()).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(list(page)).toHaveCount(0)
  await expect(bell(page, NOTHING_NEW)).toBeFocused()
}

test('the bell counts live in every tab, its list is seen once it is opened, and each entry opens its thing', async ({
  open,
  client,
  product,
}) => {
  const staff = await open(REGISTRAR, { viewport: DESKTOP, reducedMotion: 'reduce' })
  await staff.goto('/patients')
  await seeAll(staff)
  const otherTab = await staff.context().newPage()
  await otherTab.goto('/institutions')
  await expect(bell(otherTab, NOTHING_NEW)).toBeVisible()

  const clerk = await client(INSTITUTION)
  const { requestInstitutions } = await clerk.runQuery('{ requestInstitutions { id name } }')
  const [institution] = requestInstitutions
  const request = async (surname: string): Promise<string> => {
    await clerk.runQuery(REQUEST, {
      request: {
        institutionId: institution.id,
        surname,
        givenNames: 'Eva',
        birthDate: '1981-06-26',
        purpose: 'Control',
      },
    })
    const { id } = await product.db
      .selectFrom('access_request')
      .select('id')
      .where('surname', '=', surname)
      .executeTakeFirstOrThrow()
    return id
  }
  const first = await request('Întâiescu')
  for (const page of [staff, otherTab]) await expect(bell(page, '1 noutate')).toBeVisible()
  await request('Doilescu')
  for (const page of [staff, otherTab]) await expect(bell(page, '2 noutăți')).toBeVisible()

  await bell(staff, '2 noutăți').press('Enter')
  const requests = list(staff).getByRole('region', { name: 'Cereri de acces' })
  await expect(requests.getByRole('link', { name: /^Cerere de acces la un pacient nou/ })).toHaveCount(2)
  await expect(list(staff)).not.toContainText(/Întâiescu|Doilescu/)
  await expect(bell(otherTab, NOTHING_NEW)).toBeVisible()
  await expectAccessibleInBothModes(staff)
  await staff.screenshot({ path: 'test-results/screens/bell-staff-dark-1440.png' })
  await staff.emulateMedia({ colorScheme: 'light' })
  await staff.screenshot({ path: 'test-results/screens/bell-staff-light-1440.png' })
  // What comes while the list is open is in it, and seen as well.
  await request('Treilescu')
  await expect(requests.getByRole('link', { name: /^Cerere de acces la un pacient nou/ })).toHaveCount(3)
  await expect(bell(otherTab, NOTHING_NEW)).toBeVisible()
  await requests
    .getByRole('link', { name: /^Cerere de acces/ })
    .nth(2)
    .click()
  await expect(list(staff)).toHaveCount(0)
  const sheet = staff.getByRole('dialog', { name: 'Cerere de acces' })
  await expect(sheet).toContainText('Întâiescu')

  // An institution, on a phone.
  const institutionPage = await open(INSTITUTION, { viewport: PHONE, reducedMotion: 'reduce' })
  await institutionPage.goto('/institution')
  await seeAll(institutionPage)
  await (await client(ADMIN)).runQuery(REFUSE, { id: first })
  await bell(institutionPage, '1 noutate').click()
  const decision = list(institutionPage).getByRole('link', { name: /^Cererea de acces este refuzată nou/ })
  await expect(decision).toBeVisible()
  expect(
    await institutionPage.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0)
  await expectAccessibleInBothModes(institutionPage)
  await institutionPage.screenshot({ path: 'test-results/screens/bell-institution-dark-360.png' })
  await institutionPage.emulateMedia({ colorScheme: 'light' })
  await institutionPage.screenshot({ path: 'test-results/screens/bell-institution-light-360.png' })
  await decision.click()
  await expect(institutionPage.getByRole('listitem').filter({ hasText: 'Întâiescu' })).toBeFocused()

  // A kind that is switched off is not counted.
  await staff.goto('/patients')
  await bell(staff, NOTHING_NEW).click()
  await list(staff).getByRole('button', { name: 'Alege ce apare aici' }).click()
  const choice = staff.getByRole('checkbox', { name: 'Cereri de acces' })
  await choice.press('Space')
  await expect(choice).not.toBeChecked()
  await request('Patrulescu')
  await expect(staff.getByRole('link', { name: /Instituții/ })).toBeAttached()
  await choice.press('Space')
  await expect(choice).toBeChecked()
  await staff.getByRole('button', { name: 'Închide' }).first().click()
  await expect(bell(staff, '1 noutate')).toBeVisible()
})
