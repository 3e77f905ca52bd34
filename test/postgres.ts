import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../server/platform/database/migrate.ts'
import { connectRoles } from '../server/platform/database/roles.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { ROLE_PASSWORDS, runSql, TEMPLATE } from './databases.ts'

/**
 * Starts one real PostgreSQL for the whole run, with one migrated template that the databases of tests are
 * copied from.
 */
export default async function startPostgres(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'dosar-test-'))
  const log = createLog('error', (line) => process.stderr.write(line))
  const server = await startEmbeddedPostgres({ dataDir, log })
  const connection = { ...server.connection, database: 'postgres' }
  // These databases need not survive a power cut. The durability tests start servers of their own.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await runSql(connection, `alter system set ${setting} = off`)
  await runSql(connection, 'select pg_reload_conf()')
  await runSql(connection, `create database ${TEMPLATE}`)
  await migrateDatabase({ ...connection, database: TEMPLATE }, log)
  await connectRoles(connection, ROLE_PASSWORDS, log)
  project.provide('postgres', connection)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
