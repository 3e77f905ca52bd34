import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium } from '@playwright/test'
import { DEMO_PASSWORD, INSTITUTION, REGISTRAR } from '../../e2e/harness/accounts.ts'
import { SEND_LABEL, submittedMessage } from '../../e2e/harness/new-upload.ts'
import { type Product, seedDemo, startProduct } from '../../e2e/harness/product.ts'
import { findChromium } from '../../scripts/ensure-chromium.ts'
import { restartInProduction } from '../browser/screens.ts'
import { memoryOf } from '../machine.ts'
import { figure } from '../report.ts'
import type { Table } from '../table.ts'
import { checkFiled, readState, until } from './filed-files.ts'
import { Person } from './person.ts'
import { type Day, writeDay } from './write-day.ts'

/** The model of a person: a key, and to decide about a row or a patient. */
const KEY_SECONDS = 0.2
const DECISION_SECONDS = 1
/** Patients who are filed one at a time, to compare. */
const SINGLE = 5
const WINDOW = { width: 1440, height: 900 }
/** The filters of the rows that need a person; the last one has those whose patient was added meanwhile. */
const FILTERS = ['Probabile', 'Necunoscute', 'Conflict', 'Duplicate', 'Necitibile', 'Sigure']

/** A dialog; a message has the same role. */
const QUESTION = '[role=alertdialog]:not([role=region] *)'

/**
 * A registrar files the 300 files of a day with the keyboard alone, while the page is reloaded once and the server is killed
 * twice, and then files some patients one at a time. Counts keys and decisions, and compares the database with the files.
 */
export async function measureKeys(folder: string): Promise<Table> {
  const removeSeed = await seedDemo()
  const product = await startProduct({ LOG_LEVEL: 'error' })
  const browser = await chromium.launch(findChromium())
  try {
    await restartInProduction(product)
    const { institution_id } = await product.db
      .selectFrom('app_user')
      .innerJoin('user_institution', 'user_id', 'app_user.id')
      .select('institution_id')
      .where('email', '=', INSTITUTION)
      .executeTakeFirstOrThrow()
    const path = join(folder, 'Luni')
    await mkdir(path, { recursive: true })
    const day = await writeDay(product.db, path, institution_id)
    const whole = await fileDay(product, await open(browser, product), path, day)
    const singlePath = join(folder, 'Marți')
    await mkdir(singlePath, { recursive: true })
    const single = await fileSingly(
      await open(browser, product),
      await writeDay(product.db, singlePath, institution_id),
    )
    return report(day, whole, single)
  } finally {
    await browser.close()
    await product.stop()
    await removeSeed()
  }
}

async function open(browser: Browser, { url }: Product): Promise<Person> {
  const context = await browser.newContext({ baseURL: url, viewport: WINDOW })
  const { csrfToken } = await (await context.request.get('/api/auth/csrf')).json()
  const form = { csrfToken, json: 'true', email: REGISTRAR, password: DEMO_PASSWORD }
  await context.request.post('/api/auth/callback/local', { form })
  return new Person(await context.newPage())
}

interface Filed {
  readAfter: number
  seconds: number
  keys: number
  decisions: number
  peak: number
}

async function fileDay(product: Product, person: Person, path: string, day: Day): Promise<Filed> {
  const { page } = person
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1_000
  const folderButton = page.getByRole('button', { name: 'Alege un folder' })
  await page.goto('/bulk')
  await person.moveTo(folderButton)
  await person.choose(path)
  await page.getByRole('heading', { level: 1, name: 'Luni' }).waitFor()
  await until(async () => (await readState(product)).arrived > day.files.length / 4)
  await page.reload()
  await page.getByText(/fișiere? nu au? ajuns/).waitFor()
  await person.moveTo(folderButton)
  await person.choose(path)
  await until(async () => (await readState(product)).waiting < day.files.length / 2)
  let peak = memoryOf(product.processId()).peak
  await product.kill()
  await product.restart()
  await until(async () => (await readState(product)).waiting === 0)
  const readAfter = seconds()
  await page.getByRole('tab', { name: /^În citire$/ }).waitFor()

  const ready = page.getByRole('button', { name: /Trimite cele sigure/ })
  let isKilled = false
  while (/[1-9]/.test((await ready.textContent()) ?? '')) {
    await person.press('Control+Enter')
    await page.locator(QUESTION).locator('button:focus').waitFor()
    await person.press('Enter')
    if (!isKilled) {
      await until(async () => (await readState(product)).filed > 0)
      peak = Math.max(peak, memoryOf(product.processId()).peak)
      await product.kill()
      await product.restart()
      isKilled = true
    }
    await page.locator(QUESTION).waitFor({ state: 'detached' })
    await pause(2_000)
  }
  let decisions = 0
  for (const filter of FILTERS) decisions += await decideRows(person, filter, day)
  peak = Math.max(peak, memoryOf(product.processId()).peak)
  await checkFiled(product, day)
  return { readAfter, seconds: seconds(), keys: person.keys, decisions, peak }
}

/** Decides about the rows of a filter one after the other. Returns how many there were. */
async function decideRows(person: Person, filter: string, day: Day): Promise<number> {
  const { page } = person
  const tab = page.getByRole('tab', { name: new RegExp(`^${filter}`) })
  if (!/\d/.test((await tab.textContent()) ?? '')) return 0
  await person.moveTo(page.locator('[role=tab][aria-selected=true]'), 'Shift+Tab')
  await person.moveTo(tab, 'ArrowRight')
  const rows = page.locator('tr[data-group]')
  await rows.first().waitFor()
  await person.moveTo(rows)
  let decisions = 0
  for (; (await rows.count()) > 0; decisions += 1) await decideRow(person, day)
  return decisions
}

async function decideRow(person: Person, { people }: Day): Promise<void> {
  const { page } = person
  const id = await page.evaluate(
    () => document.activeElement?.closest('tr[data-group]')?.getAttribute('data-group') ?? null,
  )
  if (id === null) throw new Error('the focus has left the rows')
  const row = page.locator(`tr[data-group="${id}"]`)
  const name = ((await row.locator('[data-title] .break-words').first().textContent()) ?? '').split(', ')[0]!
  const owner = people.get(name)
  if (!owner) throw new Error(`unknown file ${name}`)
  const patient = row.locator('td').nth(1)
  const hasPatient = (await patient.locator('.font-medium').allInnerTexts()).includes(owner.name)
  if (owner.id === null && !hasPatient) {
    await person.moveTo(row.getByRole('button', { name: /Mai mult/ }))
    await person.press('Enter')
    await person.moveTo(page.getByRole('menuitem', { name: 'Pacient nou' }), 'ArrowDown')
    await person.press('Enter')
    await page.getByRole('dialog', { name: 'Pacient nou' }).waitFor()
    await person.press('Control+Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The row becomes a sure one within a moment, and leaves the filter.
    await row.waitFor({ state: 'detached' })
    return
  } else if (!hasPatient) {
    await person.type(owner.cnp)
    await page.getByRole('option', { name: owner.name }).first().waitFor()
    await person.press('Enter')
    await patient.getByText(owner.name).waitFor()
  }
  await person.press('Enter')
  const question = page.locator(QUESTION)
  const problem = patient.getByRole('alert')
  await until(
    async () => !(await row.isVisible()) || (await question.isVisible()) || (await problem.isVisible()),
  )
  // A copy is skipped, which is what the key does.
  if (await question.isVisible()) {
    await question.locator('button:focus').waitFor()
    await person.press('Enter')
  }
  if (await problem.isVisible()) return
  await row.waitFor({ state: 'detached' })
  const rows = page.locator('tr[data-group]')
  await until(async () => (await rows.count()) === 0 || (await page.locator('tr:focus').count()) > 0)
}

/** Files the documents of some patients on the pages of the patients. */
async function fileSingly(
  person: Person,
  { files, people }: Day,
): Promise<Omit<Filed, 'readAfter' | 'peak'>> {
  const { page } = person
  const start = performance.now()
  const byPerson = Map.groupBy(
    files.filter(({ name }) => /^\d/.test(name)),
    ({ name }) => people.get(name)!,
  )
  await page.goto('/patients')
  await page.getByRole('heading', { level: 1, name: 'Pacienți' }).waitFor()
  for (const [owner, own] of [...byPerson].slice(0, SINGLE)) {
    await person.press('Control+k')
    await page.locator('[role=dialog] input:focus').waitFor()
    await person.type(owner.cnp)
    await page.getByRole('option', { name: owner.name }).first().waitFor()
    await person.press('Enter')
    await page.getByRole('heading', { level: 1, name: owner.name }).waitFor()
    await person.moveTo(page.getByRole('button', { name: 'Alege fișiere' }))
    await person.choose(own.map(({ path }) => path))
    await page
      .getByText(/se potriv(esc|ește)\./)
      .nth(own.length - 1)
      .waitFor()
    await person.moveTo(page.getByRole('button', { name: SEND_LABEL }))
    await person.press('Enter')
    await submittedMessage(page).waitFor()
  }
  return { seconds: (performance.now() - start) / 1_000, keys: person.keys, decisions: SINGLE }
}

function report({ files }: Day, whole: Filed, single: Omit<Filed, 'readAfter' | 'peak'>): Table {
  const minutes = ({ keys, decisions }: { keys: number; decisions: number }) =>
    (keys * KEY_SECONDS + decisions * DECISION_SECONDS) / 60
  const times = 58 / SINGLE
  return {
    title: `The ${files.length} files of a day, with the keyboard alone`,
    columns: [
      'how',
      'keys',
      'decisions',
      'minutes of a person',
      'seconds in all',
      'read after s',
      'peak RSS, MiB',
    ],
    rows: [
      [
        'as one folder; reloaded once, server killed twice',
        String(whole.keys),
        String(whole.decisions),
        figure(minutes(whole)),
        figure(whole.seconds),
        figure(whole.readAfter),
        whole.peak.toFixed(0),
      ],
      [
        `one patient at a time: ${SINGLE} patients, times ${figure(times)}`,
        String(Math.round(single.keys * times)),
        String(Math.round(single.decisions * times)),
        figure(minutes(single) * times + (single.seconds * times) / 60),
        figure(single.seconds * times),
        '',
        '',
      ],
    ],
    notes: [
      `Minutes of a person: ${KEY_SECONDS} s a key and ${DECISION_SECONDS} s a doubtful row or a patient; one patient at a time, the person also waits for the page. The database has each content once, for its patient.`,
    ],
  }
}
