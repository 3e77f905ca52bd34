import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../test/real-http.ts'
import type { BenchDatabase } from '../database.ts'
import { type Running, startProgram } from '../processes.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Starts PostGraphile on the database of the product; installs it first, since the product does not depend on it. */
export async function startPostgraphile(database: BenchDatabase): Promise<Running> {
  if (!existsSync(`${folder}node_modules`))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2] })
  const port = await findFreePort()
  const env = {
    PORT: String(port),
    DATABASE_URL: database.url,
    GRAPHILE_ENV: 'production',
    NODE_ENV: 'production',
  }
  return startProgram(['bench/postgraphile/server.js'], { port, env, ready: 'postgraphile listens' })
}
