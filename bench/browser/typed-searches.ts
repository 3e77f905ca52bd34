import { chromium } from '@playwright/test'
import { makePatient } from '../../db/factories.ts'
import { DEMO_PASSWORD, REGISTRAR } from '../../e2e/harness/accounts.ts'
import { findChromium } from '../../scripts/ensure-chromium.ts'
import type { Db } from '../../server/platform/database/database.ts'
import {
  type Key,
  NAMES,
  NOTHING,
  NUMBERS,
  PEOPLE,
  type Spelling,
  STAFF_ONLY,
} from '../../test/search/spellings.ts'
import type { Running } from '../processes.ts'
import { figure } from '../report.ts'
import type { Table } from '../table.ts'

/** The rows of a page; of near names there are fewer, and how many depends on the other words. */
const PAGE = 50
/** The pause between two keys of a fast typist. */
const KEY_MS = 80

interface Typed {
  /** From the last key until its answer is drawn. */
  ms: number
  /** How many of the expected patients are on the first page, and how many are expected. */
  shown: number
  expected: number
  /** Whether the answer has as many patients as it may have, so that others may hide an expected one. */
  isFull: boolean
}

/**
 * A registrar types each spelling of the test table in the list of patients. Measures from the last key until the answer to
 * the whole text is drawn, and counts which of the expected patients are on its first page.
 */
export async function measureTypedSearches(db: Db, { url }: Running, patients: number): Promise<Table> {
  const ids = await addPeople(db)
  const browser = await chromium.launch(findChromium())
  try {
    const context = await browser.newContext({ baseURL: url })
    const { csrfToken } = await (await context.request.get('/api/auth/csrf')).json()
    const form = { csrfToken, json: 'true', email: REGISTRAR, password: DEMO_PASSWORD }
    await context.request.post('/api/auth/callback/local', { form })
    const page = await context.newPage()
    await page.addInitScript(() => addEventListener('input', () => performance.mark('key'), true))
    await page.goto('/patients')
    await page.locator('tbody a').first().waitFor()
    const field = page.getByRole('searchbox')
    const type = async ([query, found, reason]: Spelling): Promise<Typed> => {
      await field.fill('')
      await field.pressSequentially(query, { delay: KEY_MS })
      const { ms, hrefs } = await page.evaluate(async () => {
        while (document.querySelector('main [aria-busy=true]')) await new Promise(requestAnimationFrame)
        const links = [...document.querySelectorAll<HTMLAnchorElement>('main tbody a')]
        const ms = performance.now() - performance.getEntriesByName('key').at(-1)!.startTime
        return { ms, hrefs: links.map(({ href }) => href) }
      })
      const keys = found.split(' ').filter(Boolean) as Key[]
      const shown = keys.filter((key) => hrefs.some((href) => href.includes(ids[key]))).length
      const isFull = hrefs.length >= PAGE || (reason === 'NEAR_NAME' && hrefs.length > 0)
      return { ms, shown, expected: keys.length, isFull }
    }
    // Its answer compiles the code of the page and of the server.
    await type(['warm up', ''])
    const groups: Record<string, readonly Spelling[]> = {
      names: NAMES,
      'parts of a CNP': NUMBERS,
      'localities and phones': STAFF_ONLY,
      'what nobody has': NOTHING.map((query) => [query, ''] as const),
    }
    const rows: string[][] = []
    const all: Typed[] = []
    for (const [name, spellings] of Object.entries(groups)) {
      const typed: Typed[] = []
      for (const spelling of spellings) typed.push(await type(spelling))
      all.push(...typed)
      rows.push(describe(name, typed))
    }
    return {
      title: `${all.length} spellings typed in the list of ${patients} patients`,
      columns: [
        'spellings',
        'number',
        'drawn ms, median',
        'p95',
        'longest',
        'every expected patient on the first page',
        'others fill the answer',
        'missing',
      ],
      rows: [...rows, describe('all', all)],
      notes: [
        `In ms since the last key, which includes the debounce of the field; ${KEY_MS} ms between keys. Others fill the answer: 50 patients who match as well, or the near names, of which at most 20 are shown.`,
      ],
    }
  } finally {
    await browser.close()
  }
}

function describe(name: string, typed: readonly Typed[]): string[] {
  const sorted = typed.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (part: number) => figure(sorted[Math.ceil(part * sorted.length) - 1]!)
  const without = typed.filter(({ shown, expected }) => shown < expected)
  const full = without.filter(({ isFull }) => isFull).length
  const counts = [typed.length - without.length, full, without.length - full].map(String)
  return [name, String(typed.length), at(0.5), at(0.95), at(1), ...counts]
}

/** Adds the patients of the test table unless the database has them. Returns the ids. */
async function addPeople(db: Db): Promise<Record<Key, string>> {
  const ids = {} as Record<Key, string>
  for (const [key, person] of Object.entries(PEOPLE) as [Key, (typeof PEOPLE)[Key]][]) {
    const { surname, given_names, birth_date } = person
    const kept = await db
      .selectFrom('patient')
      .select('id')
      .where((row) => row.and({ surname, given_names, birth_date }))
      .executeTakeFirst()
    ids[key] = kept?.id ?? (await makePatient(db, { phone: null, locality: null, ...person })).id
  }
  return ids
}
