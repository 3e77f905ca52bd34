import { makeUpload } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { FEATURES, type Feature } from '../../shared/access/features.ts'
import { CREATE_SHARE } from '../../test/shares/share-world.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { makeReferredPatient } from '../harness/new-upload.ts'
import { makePerson, type Person, setSetting } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

/** A reviewer with every right of staff; a registrar; the institution of the demo; the recipient of a link by the reviewer. */
type Who = 'reviewer' | 'registrar' | 'institution' | 'recipient'

/** A screen with what depends on features; each element is there only with all of `needs`. */
type Screen = {
  who: Who
  path: (world: World) => string
  /** Opens what has no address of its own. */
  act?: (page: Page) => Promise<void>
  elements: Record<string, { find: (page: Page) => Locator; needs: readonly Feature[] }>
  /** What the screen says while `patient::files` is off. */
  withoutFiles?: string
}

type World = Awaited<ReturnType<typeof makeWorld>>

const CREATE_NEWS = `mutation ($patientId: ID!, $news: NewsInput!, $shownTo: [ID!]!) {
  createNews(patientId: $patientId, news: $news, shownTo: $shownTo) { id } }`
const OF_REVIEWER = FEATURES.filter((feature) => feature !== 'profile::institution')
const OF_REGISTRAR: readonly Feature[] = ['patient::files']
const FILES_OFF = 'Nu ai acces la fișierele pacienților'

/** A patient with a released result, a warning for the patient and the institution, and a live link. */
async function makeWorld(product: Product) {
  const { db, dataDir, url } = product
  const patient = await makeReferredPatient(product, INSTITUTION)
  const [reviewer, registrar] = [await makePerson(product, REVIEWER), await makePerson(product, REGISTRAR)]
  await setFeatures(product, reviewer, OF_REVIEWER)
  await setFeatures(product, registrar, OF_REGISTRAR)
  const storage = await openDiskStorage(`${dataDir}/files`)
  const release = (created_by: string) =>
    makeUpload(db, storage, {
      patient_id: patient.id,
      institution_id: patient.institutionId,
      state: 'released',
      released_at: new Date(),
      title: 'Ecografie',
      created_by,
    })
  const [upload, ofRegistrar] = [await release(reviewer.id), await release(registrar.id)]
  const client = await signInClient(url, reviewer.email)
  await client.runQuery(CREATE_NEWS, {
    patientId: patient.id,
    news: { kind: 'warning', text: 'Alergie la iod', visibility: 'patient' },
    shownTo: [patient.institutionId],
  })
  const { link, pin } = (
    await client.runQuery(CREATE_SHARE, {
      input: {
        patientId: patient.id,
        uploadIds: [upload.id],
        recipientKind: 'patient',
        channel: 'link',
        proof: 'pin',
        reason: 'cererea pacientului',
      },
    })
  ).createShare
  // The log of the registrar has a link to an upload.
  const asRegistrar = await signInClient(url, registrar.email)
  await asRegistrar.runQuery(`{ upload(id: "${ofRegistrar.id}") { id } }`)
  return { patient, reviewer, registrar, upload, ofRegistrar, link: link as string, pin: pin as string }
}

const setFeatures = ({ db }: Product, { id }: Person, features: readonly Feature[]) =>
  db
    .updateTable('app_user')
    .set({ features: [...features] })
    .where('id', '=', id)
    .execute()

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true })
const tab = (name: RegExp) => (page: Page) => page.getByRole('tab', { name })
const place = (name: string) => (page: Page) =>
  page.getByRole('navigation', { name: 'Principală' }).getByRole('link', { name })

/** What depends on the features, by screen [3.2]. */
const SCREENS: readonly Screen[] = [
  {
    who: 'reviewer',
    path: ({ patient }) => `/patients/${patient.id}`,
    elements: {
      links: { find: heading('Linkuri cu rezultate'), needs: ['patient::share', 'patient::files'] },
      'the button that shares results': {
        find: (page) => page.getByRole('button', { name: 'Trimite rezultate' }),
        needs: ['patient::share', 'patient::files'],
      },
      news: { find: heading('Noutăți'), needs: ['patient::news'] },
      files: { find: heading('Încarcă rezultate'), needs: ['patient::files'] },
      deliveries: { find: heading('Livrare'), needs: ['patient::files', 'admin::review-files'] },
      'own uploads': { find: place('Încărcările mele'), needs: ['patient::files'] },
      queue: { find: place('Verificare'), needs: ['admin::review-files'] },
      dashboard: { find: place('Tablou de bord'), needs: ['admin::review-files'] },
    },
  },
  {
    who: 'reviewer',
    path: ({ upload }) => `/uploads/${upload.id}`,
    elements: {
      'the button that removes a file': {
        find: (page) => page.getByRole('button', { name: /^Elimină / }),
        needs: ['admin::remove-files', 'patient::files'],
      },
      deliveries: { find: heading('Livrare'), needs: ['patient::files', 'admin::review-files'] },
    },
  },
  {
    who: 'reviewer',
    path: () => '/institutions',
    elements: {
      questions: { find: tab(/^Întrebări/), needs: ['patient::files'] },
      'unopened results': { find: tab(/^Nedeschise/), needs: ['patient::files'] },
    },
  },
  {
    who: 'reviewer',
    path: () => '/dashboard',
    elements: {
      dashboard: { find: heading('Tablou de bord'), needs: ['admin::review-files'] },
      'the list of unopened results': {
        find: (page) => page.getByRole('link', { name: 'dintre ele nedeschise' }),
        needs: ['admin::review-files', 'patient::files'],
      },
    },
  },
  {
    who: 'registrar',
    path: () => '/bulk',
    elements: { 'own uploads': { find: heading('De rezolvat'), needs: ['patient::files'] } },
    withoutFiles: FILES_OFF,
  },
  {
    who: 'registrar',
    path: ({ ofRegistrar }) => `/uploads/${ofRegistrar.id}`,
    elements: { 'an own upload': { find: heading('Ecografie'), needs: ['patient::files'] } },
    withoutFiles: FILES_OFF,
  },
  {
    who: 'registrar',
    path: () => '/logs',
    elements: {
      'the link to an upload': {
        find: (page) => page.getByRole('link', { name: 'vezi încărcarea' }).first(),
        needs: ['patient::files'],
      },
    },
    withoutFiles: 'a deschis o încărcare',
  },
  {
    who: 'institution',
    path: ({ patient }) => `/institution?view=all&q=${patient.name.split(' ')[0]}`,
    elements: {
      inbox: {
        find: (page) => page.getByLabel('Căutați după pacient, examinare, medic sau număr'),
        needs: ['patient::files'],
      },
      'the mark of a warning': {
        find: (page) => page.getByText(/^1 avertizare/).first(),
        needs: ['patient::files', 'patient::news'],
      },
      questions: { find: tab(/^Întrebări/), needs: ['patient::files'] },
      profile: { find: tab(/^Profil/), needs: ['profile::institution'] },
    },
    withoutFiles: 'Organizația a oprit fișierele pacienților',
  },
  {
    who: 'institution',
    path: ({ upload }) => `/institution?upload=${upload.id}`,
    elements: {
      result: { find: (page) => page.getByRole('dialog'), needs: ['patient::files'] },
      news: {
        find: (page) => page.getByRole('region', { name: 'Noutăți despre pacient' }),
        needs: ['patient::files', 'patient::news'],
      },
    },
    withoutFiles: 'Organizația a oprit fișierele pacienților',
  },
  {
    who: 'institution',
    path: () => '/institution',
    act: async (page) => {
      await page.getByRole('button', { name: /^Contul meu/ }).click()
      await page.getByRole('menuitem', { name: 'Setările contului' }).click()
      await expect(page.getByRole('dialog').getByRole('heading', { name: 'Sesiuni' })).toBeVisible()
    },
    elements: {
      'how often mail about results comes': {
        find: heading('Mesaje despre rezultate'),
        needs: ['patient::files'],
      },
    },
  },
  {
    who: 'recipient',
    path: ({ link }) => link,
    elements: {
      results: { find: heading('Ecografie'), needs: ['patient::share', 'patient::files'] },
    },
  },
  {
    who: 'recipient',
    path: ({ link }) => link,
    elements: {
      news: { find: heading('De la centru, pentru dumneavoastră'), needs: ['patient::news'] },
    },
  },
]

async function expectElements(page: Page, { elements, withoutFiles }: Screen, off: Feature | null) {
  const all = Object.values(elements)
  const isShown = ({ needs }: (typeof all)[number]) => off === null || !needs.includes(off)
  for (const { find } of all.filter(isShown)) await expect(find(page)).toBeVisible()
  if (off === 'patient::files' && withoutFiles)
    await expect(page.getByText(withoutFiles).first()).toBeVisible()
  await expect(page.locator('h1').first()).toBeVisible()
  // What loads later would come too late for the next lines.
  await page.waitForLoadState('networkidle')
  for (const [name, element] of Object.entries(elements))
    if (!isShown(element)) await expect(element.find(page), name).toHaveCount(0)
}

const dependsOn = ({ elements }: Screen): Feature[] =>
  FEATURES.filter((feature) => Object.values(elements).some(({ needs }) => needs.includes(feature)))

let world: World
test.beforeAll(async ({ product }) => {
  world = await makeWorld(product)
})

for (const feature of FEATURES) {
  const screens = SCREENS.filter((screen) => dependsOn(screen).includes(feature))
  test(`${feature} leaves nothing on the screens while it is off, for the site or for a person, and closes its links [3.2]`, async ({
    open,
    product,
  }) => {
    const pages = new Map<Who, Page>()
    const pageOf = async (who: Who): Promise<Page> => {
      const opened = pages.get(who)
      if (opened) return opened
      const email = {
        ...{ reviewer: world.reviewer.email, registrar: world.registrar.email },
        institution: INSTITUTION,
        recipient: null,
      }[who]
      const page = await open(email)
      pages.set(who, page)
      if (who === 'recipient') {
        await page.goto(world.link)
        await page.getByLabel('Codul PIN').fill(world.pin)
        await page.getByRole('button', { name: 'Vedeți rezultatele' }).click()
        await expect(page.getByRole('heading', { name: 'Ecografie' })).toBeVisible()
      }
      return page
    }
    for (const screen of screens) {
      const { who, path, act } = screen
      const page = await pageOf(who)
      const expectWith = async (off: Feature | null) => {
        await page.goto(path(world))
        await act?.(page)
        await expectElements(page, screen, off)
      }
      // A screen with everything on is looked at once, in the test of the first feature that it depends on.
      if (dependsOn(screen)[0] === feature) await expectWith(null)
      const putBack = await setSetting(
        product,
        'features',
        FEATURES.filter((each) => each !== feature),
      )
      try {
        await expectWith(feature)
      } finally {
        await putBack()
      }
      const [person, features] =
        who === 'registrar' ? [world.registrar, OF_REGISTRAR] : [world.reviewer, OF_REVIEWER]
      // The features of institutions come with the role; a link has the features of its maker.
      if (who === 'institution' || (who === 'recipient' && feature === 'patient::news')) continue
      await setFeatures(
        product,
        person,
        features.filter((each) => each !== feature),
      )
      try {
        await expectWith(feature)
      } finally {
        await setFeatures(product, person, features)
      }
    }
  })
}
