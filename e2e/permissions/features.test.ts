import { makeUpload } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { FEATURES, type Feature } from '../../shared/access/features.ts'
import { ADMIN, INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { setSetting } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

/** Where a feature is visible: an address, and an element of its screen. */
type FeatureElement = {
  who: string
  what: string
  path: (product: Product) => Promise<string>
  shown: (page: Page) => Locator
  /** What the screen shows while the feature is off. */
  instead?: (page: Page) => Locator
}

const at = (path: string) => () => Promise.resolve(path)
const firstPatient = async ({ db }: Product) => {
  const { id } = await db
    .selectFrom('patient')
    .select('id')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow()
  return `/patients/${id}`
}
/** Makes an upload of this author; returns its id. */
async function makeUploadOf(
  { db, dataDir }: Product,
  email: string,
  over: Parameters<typeof makeUpload>[2] = {},
): Promise<string> {
  const { id: created_by } = await db
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const storage = await openDiskStorage(`${dataDir}/files`)
  return (await makeUpload(db, storage, { created_by, title: 'Ecografie', ...over })).id
}
const uploadOf =
  (email: string, over: Parameters<typeof makeUpload>[2] = {}) =>
  async (product: Product) =>
    `/uploads/${await makeUploadOf(product, email, over)}`
/** The audit log of someone who has opened an upload. */
const logOf = (email: string) => async (product: Product) => {
  const id = await makeUploadOf(product, email)
  await (await signInClient(product.url, email)).runQuery(`{ upload(id: "${id}") { id } }`)
  return '/logs'
}
const navigation = (name: string) => (page: Page) =>
  page.getByRole('navigation', { name: 'Principală' }).getByRole('link', { name })

/** The elements of each feature on the screens [3.2]; one feature has no screen yet. */
const FEATURE_ELEMENTS: Record<Feature, readonly FeatureElement[]> = {
  'patient::share': [],
  'patient::news': [
    {
      who: ADMIN,
      what: "the news on a patient's page",
      path: firstPatient,
      shown: (page) => page.getByRole('heading', { name: 'Noutăți' }),
    },
    {
      who: INSTITUTION,
      what: 'the marks of warnings in the inbox',
      path: at('/institution?view=all'),
      shown: (page) => page.getByText(/^\d+ avertiz/).first(),
    },
  ],
  'patient::files': [
    {
      who: ADMIN,
      what: "the files on a patient's page",
      path: firstPatient,
      shown: (page) => page.getByRole('heading', { name: 'Încarcă rezultate' }),
    },
    {
      who: INSTITUTION,
      what: 'the inbox',
      path: at('/institution'),
      shown: (page) => page.getByLabel('Căutați după pacient, examinare, medic sau număr'),
      instead: (page) => page.getByText('Organizația a oprit fișierele pacienților'),
    },
    { who: ADMIN, what: 'the own uploads', path: at('/patients'), shown: navigation('Încărcările mele') },
    {
      who: ADMIN,
      what: 'the list of own uploads',
      path: at('/bulk'),
      shown: (page) => page.getByRole('heading', { name: 'De rezolvat' }),
      instead: (page) => page.getByText('Nu ai acces la fișierele pacienților'),
    },
    {
      who: REGISTRAR,
      what: 'the page of an own upload',
      path: uploadOf(REGISTRAR),
      shown: (page) => page.getByRole('heading', { level: 1, name: 'Ecografie' }),
      instead: (page) => page.getByText('Nu ai acces la fișierele pacienților'),
    },
    {
      who: REGISTRAR,
      what: 'the links of the audit log to uploads',
      path: logOf(REGISTRAR),
      shown: (page) => page.getByRole('link', { name: 'vezi încărcarea' }).first(),
      instead: (page) => page.getByText('a deschis o încărcare').first(),
    },
  ],
  'admin::remove-files': [
    {
      who: ADMIN,
      what: 'the button that removes a file',
      path: uploadOf(ADMIN, { state: 'released', title: 'Fișier de eliminat' }),
      shown: (page) => page.getByRole('button', { name: /^Elimină / }),
    },
  ],
  'admin::review-files': [
    { who: ADMIN, what: 'the queue', path: at('/patients'), shown: navigation('Verificare') },
    { who: ADMIN, what: 'the dashboard', path: at('/patients'), shown: navigation('Tablou de bord') },
  ],
  'profile::institution': [
    {
      who: INSTITUTION,
      what: "the institution's profile",
      path: at('/institution'),
      shown: (page) => page.getByRole('tab', { name: 'Profil' }),
    },
  ],
}

for (const feature of FEATURES) {
  for (const { who, what, path, shown, instead } of FEATURE_ELEMENTS[feature]) {
    test(`${feature} shows ${what}, and removes it when off [3.2]`, async ({ open, product }) => {
      const page = await open(who)
      await page.goto(await path(product))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(shown(page)).toBeVisible()
      const putBack = await setSetting(
        product,
        'features',
        FEATURES.filter((each) => each !== feature),
      )
      try {
        await page.reload()
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        if (instead) await expect(instead(page)).toBeVisible()
        await expect(shown(page)).toHaveCount(0)
      } finally {
        await putBack()
      }
    })
  }
}
