import { type Browser, chromium } from '@playwright/test'
import type { NotNull } from 'kysely'
import { ADMIN, DEMO_PASSWORD, INSTITUTION, REVIEWER } from '../../e2e/harness/accounts.ts'
import { signInClient } from '../../e2e/harness/client.ts'
import { type Product, seedDemo, startProduct } from '../../e2e/harness/product.ts'
import { findChromium } from '../../scripts/ensure-chromium.ts'
import { upsertSettings } from '../../server/features/site/site.db.ts'
import { CREATE_SHARE } from '../../test/shares/share-world.ts'
import { addDocument, extendReviewQueue } from '../review-queue.ts'
import type { Table } from '../table.ts'
import { startBarePage } from './bare-page.ts'
import { measureClickedRows } from './clicked-row.ts'
import { measureNextDocuments, type NextDocument } from './next-document.ts'
import { type Visit, visitPage } from './visit-page.ts'

/** The cost of the first visit of a screen: medians, and the median ratio to the bare React page of the same round. */
export interface ScreenRow extends Visit {
  screen: string
  ratios: { fcp: number; lcp: number; content: number; js: number }
}

/** The milliseconds between a verdict and the next document, and the same of the bare page, in one run. */
export interface NextDocuments {
  floor: NextDocument[]
  product: NextDocument[]
}

/** The milliseconds between a click on a row of each list and the heading of the next screen. */
export type ClickedRows = Record<string, number[]>

const ROUNDS = 5
/** The verdicts that are measured, and those before them, whose code is not compiled yet. */
const VERDICTS = 20
const WARM_UP = 2
/** The pages of a long document, whose first page is compared with the page of a short one. */
const LONG_PAGES = 200
/** The clicks on a row that are measured, and one before them. */
const CLICKS = 10
/** The seconds in which a verdict can be undone, as in a new installation. */
const UNDO_SECONDS = 10

/**
 * Opens eight screens of the product, a process of its own in production on the demo organisation, and a bare page, in
 * rotation; the first round is a warm-up. Then clicks on rows, gives verdicts on a queue of its own, and compares
 * these with a bare page. Needs a built front end. Takes about ten minutes.
 */
export async function measureScreens(
  rounds = ROUNDS,
): Promise<{ screens: ScreenRow[]; next: NextDocuments; clicked: ClickedRows }> {
  const bare = await startBarePage()
  const removeSeed = await seedDemo()
  const product = await startProduct({ LOG_LEVEL: 'error' })
  const browser = await chromium.launch(findChromium())
  try {
    await restartInProduction(product)
    const [reviewer, admin, institution] = [
      await signIn(browser, product, REVIEWER),
      await signIn(browser, product, ADMIN),
      await signIn(browser, product, INSTITUTION),
    ]
    const at = (path: string) => product.url + path
    const [short, long] = [await addDocument(product, 1), await addDocument(product, LONG_PAGES)]
    const review = at(`/uploads/${await findPdfInReview(product)}`)
    const { patient_id, id: released } = await findReleased(product)
    const patient = at(`/patients/${patient_id}`)
    const share = await shareResult(product, patient_id, released)
    const screens: Record<string, () => Promise<Visit>> = {
      'bare React': () => visitPage(browser, bare.url, 'input'),
      'sign-in': () => visitPage(browser, at('/'), 'input[name=password]'),
      dashboard: () => visitPage(browser, at('/dashboard'), 'main dl', admin),
      patients: () => visitPage(browser, at('/patients'), 'tbody a', reviewer),
      'a patient': () => visitPage(browser, patient, 'main dl', reviewer),
      queue: () => visitPage(browser, at('/uploads'), 'tbody a', reviewer),
      'review of a PDF': () => visitPage(browser, review, 'canvas', reviewer),
      'inbox of an institution': () => visitPage(browser, at('/institution'), '.row-link', institution),
      'shared results, before the proof': () => visitPage(browser, share, 'main form'),
      'review, 1 page': () => visitPage(browser, at(`/uploads/${short}`), 'canvas', reviewer),
      [`review, ${LONG_PAGES} pages`]: () => visitPage(browser, at(`/uploads/${long}`), 'canvas', reviewer),
    }
    const visits = new Map(Object.keys(screens).map((screen) => [screen, [] as Visit[]]))
    for (let round = 0; round <= rounds; round++)
      for (const [screen, open] of Object.entries(screens)) {
        const visit = await open()
        if (round > 0) visits.get(screen)!.push(visit)
      }
    const floor = visits.get('bare React')!
    const rows = [...visits].map(([screen, all]) => {
      const ratio = (name: keyof Visit) =>
        median(all.map((visit, round) => visit[name] / floor[round]![name]))
      return {
        screen,
        ...medianVisit(all),
        ratios: { fcp: ratio('fcp'), lcp: ratio('lcp'), content: ratio('content'), js: ratio('js') },
      }
    })
    const clicked: ClickedRows = {}
    for (const list of ['/patients', '/uploads'])
      clicked[list] = (await measureClickedRows(browser, at(list), 1 + CLICKS, reviewer)).slice(1)
    const count = WARM_UP + VERDICTS
    const first = await extendReviewQueue(product, count + 1)
    const next = {
      floor: await measureNextDocuments(browser, `${bare.url}next/1`, count),
      product: await measureNextDocuments(browser, at(`/uploads/${first}`), count, reviewer),
    }
    return {
      screens: rows,
      clicked,
      next: { floor: next.floor.slice(WARM_UP), product: next.product.slice(WARM_UP) },
    }
  } finally {
    await browser.close()
    await product.stop()
    await removeSeed()
    await bare.stop()
  }
}

/** Restarts the product in production, with its usual settings; the one that marks the demo organisation is removed for that. */
export async function restartInProduction(product: Product): Promise<void> {
  await product.db
    .updateTable('site_setting')
    .set({ value: JSON.stringify(false) })
    .where('key', '=', 'demo')
    .execute()
  await upsertSettings(product.db, { undo_seconds: UNDO_SECONDS })
  await product.kill()
  await product.restart({ NODE_ENV: 'production' })
}

/** Returns the cookies of a browser in which this account is signed in. */
async function signIn(browser: Browser, product: Product, email: string) {
  const context = await browser.newContext({ baseURL: product.url })
  const { csrfToken } = await (await context.request.get('/api/auth/csrf')).json()
  const form = { csrfToken, json: 'true', email, password: DEMO_PASSWORD }
  await context.request.post('/api/auth/callback/local', { form })
  const signedIn = await context.storageState()
  await context.close()
  return signedIn
}

/** Returns a released result with its patient. */
const findReleased = ({ db }: Product) =>
  db
    .selectFrom('upload')
    .select(['id', 'patient_id'])
    .$narrowType<{ patient_id: NotNull }>()
    .where('state', '=', 'released')
    .where('patient_id', 'is not', null)
    .orderBy('id')
    .executeTakeFirstOrThrow()

/** Shares a released result with its patient, who proves it with a PIN, and returns the address of the share. */
async function shareResult({ url }: Product, patientId: string, uploadId: string): Promise<string> {
  const admin = await signInClient(url, ADMIN)
  const input = {
    patientId,
    uploadIds: [uploadId],
    recipientKind: 'patient',
    channel: 'link',
    proof: 'pin',
    reason: 'Măsurătoare',
  }
  const { createShare } = await admin.runQuery(CREATE_SHARE, { input })
  return createShare.link
}

async function findPdfInReview({ db }: Product): Promise<string> {
  const { id } = await db
    .selectFrom('upload')
    .innerJoin('file', 'file.upload_id', 'upload.id')
    .select('upload.id')
    .where('state', '=', 'in_review')
    .where('file.kind', '=', 'pdf')
    .orderBy('upload.id')
    .executeTakeFirstOrThrow()
  return id
}

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor((figures.length - 1) / 2)]!

/** Returns the median of each figure. */
function medianVisit(visits: readonly Visit[]): Visit {
  const names = Object.keys(visits[0]!) as (keyof Visit)[]
  return Object.fromEntries(
    names.map((name) => [name, median(visits.map((visit) => visit[name]))]),
  ) as unknown as Visit
}

/** Returns the rows as a table to print. */
export function screensTable(rows: readonly ScreenRow[]): Table {
  const kib = (bytes: number) => (bytes / 1024).toFixed(1)
  const ms = (time: number) => String(Math.round(time))
  const times = (ratio: number) => ratio.toFixed(2)
  return {
    title: 'Screens, first visit: Chromium, processor slowed down 4 times, 1366 × 768, empty cache',
    columns: [
      'screen',
      'FCP ms',
      '× bare',
      'LCP ms',
      '× bare',
      'content ms',
      '× bare',
      'blocking ms',
      'long tasks after FCP',
      'JS KiB',
      '× bare',
      'JS later KiB',
      'requests',
    ],
    rows: rows.map(({ screen, fcp, lcp, content, tbt, longTasks, js, jsLater, requests, ratios }) => [
      screen,
      ms(fcp),
      times(ratios.fcp),
      ms(lcp),
      times(ratios.lcp),
      ms(content),
      times(ratios.content),
      ms(tbt),
      String(longTasks),
      kib(js),
      times(ratios.js),
      kib(jsLater),
      String(requests),
    ]),
    notes: [
      '× bare: ratio to a page of React and two inputs, opened in the same round; the median of the rounds.',
    ],
  }
}

/** Returns the clicks as a table to print. */
export const clickedRowsTable = (clicked: ClickedRows): Table => ({
  title: `A click on a row and the heading of the next screen: processor slowed down 4 times, ${CLICKS} clicks`,
  columns: ['list', 'heading ms, median', 'heading ms, slowest'],
  rows: Object.entries(clicked).map(([list, all]) => [
    list,
    ...[median(all), Math.max(...all)].map((time) => String(Math.round(time))),
  ]),
  notes: [],
})

/** Returns the verdicts as a table to print. */
export function nextDocumentTable({ floor, product }: NextDocuments): Table {
  const ofFloor = median(floor.map(({ drawn }) => drawn))
  const describe = (name: string, all: readonly NextDocument[]) => {
    const drawn = all.map((one) => one.drawn)
    const sorted = drawn.toSorted((a, b) => a - b)
    return [
      name,
      ...[
        median(all.map(({ response }) => response)),
        median(drawn),
        sorted[Math.ceil(0.95 * sorted.length) - 1]!,
      ].map((time) => String(Math.round(time))),
      (median(drawn) / ofFloor).toFixed(2),
    ]
  }
  return {
    title: `A verdict and the next document, preloaded: processor slowed down 4 times, ${product.length} verdicts`,
    columns: ['', 'response ms, median', 'drawn ms, median', 'drawn ms, p95', '× floor'],
    rows: [describe('bare React', floor), describe('product', product)],
    notes: [
      'In ms since the key A. Floor: a key, a request without work, and a page of text that is drawn already.',
    ],
  }
}
