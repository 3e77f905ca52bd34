import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { expect, it, onTestFinished } from 'vitest'
import { hashPassword } from '../server/features/accounts/credentials/password.ts'
import { ROOT } from '../server/http/pages/front-end.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres/embedded-postgres.ts'
import { newId } from '../server/platform/ids.ts'
import { createLog } from '../server/platform/log.ts'
import { createTestClient } from '../test/client.ts'
import { findFreePort } from '../test/real-http.ts'
import { TEST_PASSWORD } from '../test/users.ts'

const log = createLog('error', () => undefined)

/** Fills the folder as the release before the roles of the database left it: one superuser for everything. */
async function fillAsBefore(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log })
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    await client.query(
      'create table schema_migration (name text primary key, applied_at timestamptz not null default now())',
    )
    const migrations = new URL('./migrations/', import.meta.url)
    for (const name of readdirSync(migrations)
      .filter((file) => file < '0010')
      .sort()) {
      await client.query(readFileSync(new URL(name, migrations), 'utf8'))
      await client.query('insert into schema_migration (name) values ($1)', [name])
    }
    const { connection } = server
    const boss = new PgBoss({ ...connection, max: 1, supervise: false, schedule: false })
    await boss.start()
    await boss.stop()
    const [institution, admin, user, patient, upload] = [newId(), newId(), newId(), newId(), newId()]
    const password = await hashPassword(TEST_PASSWORD)
    const insert = (text: string, values: unknown[]) => client.query(`insert into ${text}`, values)
    await insert(
      "institution (id, name, kind, code, name_key, search) values ($1, 'Clinica', 'clinic', 'C1', 'clinica', 'clinica')",
      [institution],
    )
    const account = 'app_user (id, email, name, role, status, password_hash) values ($1, $2, $3, $4, $5, $6)'
    await insert(account, [admin, 'admin@dosar.test', 'Admin', 'admin', 'active', password])
    await insert(account, [user, 'medic@dosar.test', 'Medic', 'institution', 'active', password])
    await insert('user_institution values ($1, $2)', [user, institution])
    await insert(
      "patient (id, surname, given_names, name_key) values ($1, 'Păstrat', 'Ion', 'pastrat ion')",
      [patient],
    )
    await insert('referral (id, patient_id, institution_id, created_by) values ($1, $2, $3, $4)', [
      newId(),
      patient,
      institution,
      admin,
    ])
    await insert(
      `upload (id, patient_id, institution_id, title, source, state, released_at, created_by)
       values ($1, $2, $3, 'Hemogramă', 'staff', 'released', now(), $4)`,
      [upload, patient, institution, admin],
    )
    await insert(
      "audit_event (actor_name, origin, action, outcome, request_id) values ('Admin', 'web', 'session.sign-in', 'ok', 'x')",
      [],
    )
  } finally {
    await client.end()
    await server.stop()
  }
}

it('a data folder of the release before gets the roles of the database and keeps its data', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dosar-test-'))
  // PostgreSQL's user must be able to pass through.
  chmodSync(folder, 0o711)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const dataDir = join(folder, 'data')
  await fillAsBefore(dataDir)

  // The second start finds the roles as the first has left them.
  for (const entries of [1, 2]) {
    const port = await findFreePort()
    const server = spawn(process.execPath, ['server/main.ts'], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'development', PORT: String(port), DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    try {
      await expect.poll(() => output, { timeout: 110_000 }).toContain('Dosar: http')
      const client = createTestClient(`http://localhost:${port}`)
      await client.signIn('medic@dosar.test')
      const { inbox } = await client.runQuery('{ inbox { nodes { title patient { name } } } }')
      expect(inbox.nodes).toEqual([{ title: 'Hemogramă', patient: { name: 'Păstrat Ion' } }])
      const administrator = createTestClient(`http://localhost:${port}`)
      await administrator.signIn('admin@dosar.test')
      const { auditEvents } = await administrator.runQuery(
        '{ auditEvents(action: "session.sign-in") { nodes { actorName } } }',
      )
      expect(auditEvents.nodes).toHaveLength(1 + 2 * entries)
    } finally {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
  }
})
