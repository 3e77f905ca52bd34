import { performance } from 'node:perf_hooks'
import { makeUser } from '../db/factories.ts'
import { connectRoles } from '../server/platform/database/roles.ts'
import { createLog } from '../server/platform/log.ts'
import { compareFigures } from '../test/dashboard/compare-figures.ts'
import { ROLE_PASSWORDS } from '../test/databases.ts'
import { openServer } from '../test/open-server.ts'
import type { BenchDatabase } from './database.ts'
import { figure } from './report.ts'
import type { Table } from './table.ts'

const PERIODS = [7, 90]
/** Verdicts of each kind before the comparison: the generator writes no entries of the audit log, which those of today are counted from. */
const VERDICTS = 10
const QUEUE = '{ uploads(states: [in_review], first: 50) { nodes { id version } } }'
const ACCEPT = `mutation ($id: ID!, $version: Int!) {
  acceptUpload(id: $id, version: $version, reason: "other", comment: "da") { id } }`
const REJECT =
  'mutation ($id: ID!, $version: Int!) { rejectUpload(id: $id, version: $version, reason: "duplicate") { id } }'

/**
 * Compares each figure of the dashboard with the length of the list that it leads to, for each period: every page of every list
 * is read. The notes name the figures that differ.
 */
export async function measureDashboard({ connection }: BenchDatabase, patients: number): Promise<Table> {
  await connectRoles(
    connection,
    ROLE_PASSWORDS,
    createLog('warn', (line) => process.stderr.write(line)),
  )
  const server = await openServer(connection)
  try {
    const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
    const waiting = (await admin.runQuery(QUEUE)).uploads.nodes
    for (const upload of waiting.slice(0, VERDICTS)) await admin.runQuery(ACCEPT, upload)
    for (const upload of waiting.slice(-VERDICTS)) await admin.runQuery(REJECT, upload)
    const rows: string[][] = []
    const notes: string[] = []
    for (const days of PERIODS) {
      const start = performance.now()
      const compared = await compareFigures(admin, days)
      const seconds = (performance.now() - start) / 1_000
      const differing = compared.filter(([, counted, listed]) => counted !== listed)
      rows.push([
        String(days),
        String(compared.length),
        String(compared.filter(([, counted]) => counted > 0).length),
        String(differing.length),
        String(compared.reduce((sum, [, , listed]) => sum + listed, 0)),
        figure(seconds),
      ])
      for (const [name, counted, listed] of differing)
        notes.push(`${days} days, ${name}: ${counted}, and the list has ${listed}.`)
    }
    return {
      title: `Figures of the dashboard and their lists, ${patients} patients`,
      columns: ['days', 'figures', 'above 0', 'differ', 'entries of their lists', 'seconds'],
      rows,
      notes,
    }
  } finally {
    await server.stop()
  }
}
