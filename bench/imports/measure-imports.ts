import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../server/platform/database/database.ts'
import { makeCnp } from '../../shared/romania/cnp.ts'
import { CHECK, READ_IMPORT, START, sendImport } from '../../test/imports/send-import.ts'
import type { Product } from '../contestants.ts'
import { memoryOf } from '../machine.ts'
import { figure } from '../report.ts'
import type { Table } from '../table.ts'

const ROWS = 100_000
/** One row of so many has a CNP that lacks a digit. */
const BAD_EVERY = 33
const MAX_GROWTH_MIB = 100
const POLL_PAUSE_MS = 250
const SURNAMES = ['Popescu', 'Ionescu', 'Rusu', 'Munteanu', 'Stan', 'Dobre', 'Țurcanu', 'Lupu', 'Ciobanu']
const GIVEN = ['Ana', 'Maria', 'Ion', 'Elena', 'Vasile', 'Mihai', 'Andreea', 'Ștefan', 'Ioana', 'George']

/** Imports a table of people, and measures each step, and how much the server's memory grows meanwhile. */
export async function measureImports(_db: Db, product: Product): Promise<Table> {
  const { client } = product.people.reviewer
  const response = await sendImport(client, 'pacienti.csv', makeTable())
  const { id } = (await response.json()) as { id: string }
  const before = memoryOf(product.pid).now
  let peak = before
  const rows: string[][] = []
  const read = async () => (await client.runQuery(READ_IMPORT, { id })).patientImport
  const until = async (name: string, state: string) => {
    const start = performance.now()
    let found = await read()
    for (; found.state !== state; found = await read()) {
      if (found.state === 'unreadable') throw new Error(`the table is unreadable: ${found.problem}`)
      await pause(POLL_PAUSE_MS)
      peak = Math.max(peak, memoryOf(product.pid).now)
    }
    const seconds = (performance.now() - start) / 1_000
    rows.push([name, figure(seconds), (peak - before).toFixed(0)])
    process.stderr.write(`${rows.at(-1)!.join(' · ')}\n`)
    return found
  }
  const { version, columns } = await until('read', 'read')
  await client.runQuery(CHECK, { id, version, columns, overwrites: false })
  const checked = await until('check', 'checked')
  await client.runQuery(START, { id, version: checked.version })
  const done = await until('import', 'done')
  const isSame = JSON.stringify(done.imported) === JSON.stringify(checked.checked)
  const grown = peak - before
  return {
    title: `The import of ${ROWS} patients from CSV`,
    columns: ['step', 'seconds', 'server has grown, MiB'],
    rows,
    notes: [
      `Check and import ${isSame ? 'agree' : '**disagree**'}: ${describeCounts(done.imported)}.`,
      `Goal: ≤ ${MAX_GROWTH_MIB} MiB: ${grown <= MAX_GROWTH_MIB ? 'met' : '**not met**'}.`,
    ],
  }
}

const describeCounts = (counts: { outcome: string; rows: number }[]): string =>
  counts.map(({ outcome, rows }) => `${rows} ${outcome}`).join(', ')

function makeTable(): string {
  const of = <T>(list: readonly T[], place: number): T => list[place % list.length]!
  const rows = Array.from({ length: ROWS }, (_, place) => {
    const birthDate = new Date(Date.UTC(1930, 0, 1 + ((place * 7_919) % 28_000))).toISOString().slice(0, 10)
    const sex = place % 2 === 0 ? 'female' : 'male'
    const serial = 1 + (Math.floor(place / 40) % 999)
    const cnp = makeCnp({ sex, birthDate, county: 1 + (place % 40), serial })
    const name = `${of(SURNAMES, place)}-${of(SURNAMES, Math.floor(place / 9))};${of(GIVEN, place)} ${of(GIVEN, Math.floor(place / 81))}`
    return `${name};${place % BAD_EVERY === 7 ? cnp.slice(1) : cnp};${birthDate};07${20_000_000 + place}`
  })
  return ['Nume;Prenume;CNP;Data nașterii;Telefon', ...rows].join('\r\n')
}
