import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import {
  connectAs,
  createDatabase,
  ROLE_PASSWORDS,
  runSql,
  type TestConnection,
} from '../../../test/databases.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { migrateJobs } from '../jobs.ts'
import { createLog } from '../log.ts'
import type { DatabaseConnection } from './database.ts'
import { migrateDatabase } from './migrate.ts'
import { connectRoles, refuseSuperuser } from './roles.ts'

const log = createLog('error', () => undefined)

const toUrl = ({ host, port, user, password, database }: TestConnection): string =>
  `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`

/** Creates a database whose owner is no superuser, as an operator does; it is removed at the end of the test. */
async function createExternal(): Promise<{ owner: TestConnection; bystander: TestConnection }> {
  const admin = inject('postgres')
  const name = `external_${randomBytes(6).toString('hex')}`
  await runSql(admin, `create database ${name}`)
  onTestFinished(() => runSql(admin, `drop database ${name} with (force)`).then(() => undefined))
  const script = await readFile(new URL('../../../db/create-owner.sql', import.meta.url), 'utf8')
  const superuser = { ...admin, database: name }
  await runSql(superuser, `set dosar.owner_password = 'owner-password'; ${script}`)
  return { owner: { ...superuser, user: 'dosar_owner', password: 'owner-password' }, bystander: superuser }
}

/** What a role of requests must never be able to do. */
const FORBIDDEN = [
  'alter table audit_event disable trigger audit_event_append_only',
  "set session_replication_role = replica; update audit_event set actor_name = 'nimeni'",
  "update audit_event set actor_name = 'nimeni'",
  'delete from audit_event',
  'truncate audit_event',
  'delete from audit_seal',
  "update audit_seal set hash = ''",
  'insert into audit_unsealed (event_id) values (1)',
  "update audit_verification set faults = '[]'",
  "copy (select 1) to program 'cat > /dev/null'",
  "copy site_setting from '/etc/passwd'",
  'create table own (id int)',
  'create function own() returns int language sql as $$ select 1 $$',
  'alter table patient disable row level security',
  'drop policy guest on patient',
  'alter table patient add column own int',
  'create role another superuser',
  'alter role dosar_guest bypassrls',
  'set role dosar_owner',
  'delete from schema_migration',
  'select pg_read_file($$/etc/passwd$$)',
  // Would number the rows of any relation with the owner's rights.
  "create table pg_temp.x (number bigint); select draw_number('pg_temp.x')",
] as const

async function attempt(connection: DatabaseConnection, sql: string): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(`begin; ${sql}; rollback`)
    return 'done'
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.end()
  }
}

/** insufficient_privilege, a role that does not exist on this server, and the function's own refusal. */
const REFUSED = /^(42501|22023|P0001)$/

describe('the roles of requests', () => {
  it.each(['staff', 'guest', 'recipient'] as const)(
    '%s: change neither schema nor audit log, embedded',
    async (role) => {
      const { connection, drop } = await createDatabase()
      onTestFinished(drop)
      for (const sql of FORBIDDEN)
        expect([sql, await attempt(connectAs(connection, role), sql)]).toEqual([
          sql,
          expect.stringMatching(REFUSED),
        ])
    },
  )

  it('change neither on a database server of the operator, whose owner is no superuser', async () => {
    const { owner, bystander } = await createExternal()
    await expect(refuseSuperuser({ connectionString: toUrl(bystander) })).rejects.toThrow(
      /db\/create-owner\.sql/,
    )
    const external = { connectionString: toUrl(owner) }
    await refuseSuperuser(external)
    // Forms of the address in which the role of a request could be ignored.
    const { host, port, user, password, database } = owner
    for (const address of [
      `postgres:///${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}&password=${password}`,
      `${toUrl(owner)}&user=${user}&password=${password}`,
    ]) {
      await migrateDatabase({ connectionString: address }, log)
      const roles = await connectRoles({ connectionString: address }, ROLE_PASSWORDS, log)
      for (const connection of [roles.staff, roles.guest])
        expect(await attempt(connection, 'alter table patient add column own int')).toBe('42501')
    }
    await migrateDatabase(external, log)
    await migrateJobs(external)
    const { staff, guest, recipient } = await connectRoles(external, ROLE_PASSWORDS, log)
    for (const connection of [staff, guest, recipient])
      for (const sql of FORBIDDEN)
        expect([sql, await attempt(connection, sql)]).toEqual([sql, expect.stringMatching(REFUSED)])
    expect(await attempt(staff, 'insert into pgboss.job (name) select name from pgboss.queue')).toBe('done')
    expect(await attempt(guest, 'select from pgboss.job')).toBe('42501')
  })

  it('use the job queue that the owner creates where a superuser has migrated the tables', async () => {
    const { owner, bystander } = await createExternal()
    await migrateDatabase(bystander, log)
    const script = await readFile(new URL('../../../db/create-owner.sql', import.meta.url), 'utf8')
    await runSql(bystander, `set dosar.owner_password = 'owner-password'; ${script}`)
    await migrateJobs(owner)
    const { staff } = await connectRoles(owner, ROLE_PASSWORDS, log)
    expect(await attempt(staff, 'insert into pgboss.job (name) select name from pgboss.queue')).toBe('done')
  })

  it('take over a database that the version before filled as superuser', async () => {
    const { owner, bystander } = await createExternal()
    await migrateDatabase(bystander, log)
    await migrateJobs(bystander)
    await runSql(bystander, "insert into site_setting (key, value) values ('name', '\"Păstrat\"')")
    const script = await readFile(new URL('../../../db/create-owner.sql', import.meta.url), 'utf8')
    await runSql(bystander, `set dosar.owner_password = 'owner-password'; ${script}`)
    await migrateDatabase(owner, log)
    await migrateJobs(owner)
    const { rows } = (await runSql(
      owner,
      "select value from site_setting where key = 'name'",
    )) as pg.QueryResult
    expect(rows).toEqual([{ value: 'Păstrat' }])
    expect(await attempt(owner, 'alter table patient add column own int')).toBe('done')
    expect(await attempt(owner, 'alter table pgboss.job add column own int')).toBe('done')
  })

  it('get their passwords at the first start, and again when the secret has changed', async () => {
    // A server of its own: roles belong to a whole server, and other tests use those of the run's.
    const dataDir = await mkdtemp(join(tmpdir(), 'dosar-test-'))
    const server = await startEmbeddedPostgres({ dataDir, log })
    onTestFinished(async () => {
      await server.stop()
      await rm(dataDir, { recursive: true })
    })
    await migrateDatabase(server.connection, log)
    const first = await connectRoles(
      server.connection,
      { staff: 'first', guest: 'guest', recipient: 'recipient' },
      log,
    )
    expect(await attempt(first.staff, 'select 1')).toBe('done')
    expect(await attempt(first.guest, 'select 1')).toBe('done')
    const logged: string[] = []
    const second = await connectRoles(
      server.connection,
      { staff: 'second', guest: 'guest', recipient: 'recipient' },
      createLog('info', (line) => logged.push(line)),
    )
    expect(await attempt(second.staff, 'select 1')).toBe('done')
    await expect(attempt(first.staff, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    expect(logged.map((line) => JSON.parse(line).role)).toEqual(['dosar_staff'])
    expect(logged.join('')).not.toContain('second')
  })
})

describe('row-level security', () => {
  /** Tables that guests read whole: no people in them. */
  const PUBLIC: Record<string, string> = {
    category: 'the list of categories, public by requirement',
    category_list: 'a version',
    category_slug_change: 'former names of categories',
    site_setting: 'settings, of which none is secret',
    site_version: 'a version',
    site_image: 'the logo and the favicon, which every page shows, and the logos of institutions',
  }
  /** Views that have the condition of a guest themselves, and show nothing to others. */
  const OWN_VIEWS: Record<string, string> = {
    sent_upload: 'what users of the institutions have sent; test: server/features/sent-uploads',
    examination_under_way: 'what the institutions have ordered; test: server/features/sent-uploads',
  }
  /** Tables on which guests have no privilege at all. */
  const CLOSED: Record<string, string> = {
    api_key: 'of the organisation',
    audit_seal: 'of the audit log',
    audit_unsealed: 'of the audit log',
    audit_verification: 'of the audit log',
    schema_migration: 'of the schema',
    sign_in_throttle: 'hashes of addresses and networks',
  }

  type Table = { name: string; secured: boolean; guarded: boolean; granted: boolean }
  let tables: Table[]
  let drop: () => Promise<void>
  beforeAll(async () => {
    const made = await createDatabase()
    drop = made.drop
    const { rows } = (await runSql(
      made.connection,
      `select relname as name, relrowsecurity as secured,
         exists (select from pg_policy where polrelid = pg_class.oid and 'dosar_guest'::regrole = any(polroles)) as guarded,
         has_any_column_privilege('dosar_guest', pg_class.oid, 'select, insert, update')
           or has_table_privilege('dosar_guest', pg_class.oid, 'delete, truncate, references, trigger') as granted
       from pg_class where relkind in ('r', 'p', 'v', 'm') and relnamespace = 'public'::regnamespace`,
    )) as pg.QueryResult<Table>
    tables = rows
  })
  afterAll(() => drop())

  it('is on for every table, or the table is named here with the reason', () => {
    const names = tables.map(({ name }) => name)
    expect(names).toContain('patient')
    const undecided = tables.filter(
      ({ name, secured }) => !secured && !PUBLIC[name] && !OWN_VIEWS[name] && !CLOSED[name],
    )
    expect(undecided.map(({ name }) => name)).toEqual([])
    expect([PUBLIC, OWN_VIEWS, CLOSED].flatMap(Object.keys).filter((name) => !names.includes(name))).toEqual(
      [],
    )
    const wronglyOpen = tables.filter(({ name, granted }) => CLOSED[name] && granted)
    expect(wronglyOpen.map(({ name }) => name)).toEqual([])
    const unguarded = tables.filter(({ secured, guarded, granted }) => secured && granted && !guarded)
    expect(unguarded.map(({ name }) => name)).toEqual([])
  })

  it('has no condition with `or`, which would hide the indexes of the queries', async () => {
    const { connection, drop } = await createDatabase()
    onTestFinished(drop)
    const { rows } = (await runSql(
      connection,
      `select polrelid::regclass::text as name, pg_get_expr(coalesce(polqual, polwithcheck), polrelid) as condition from pg_policy`,
    )) as pg.QueryResult<{ name: string; condition: string }>
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter(({ condition }) => /\bor\b/i.test(condition))).toEqual([])
  })
})
