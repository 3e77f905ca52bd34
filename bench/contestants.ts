import { ADMIN, INSTITUTION, REVIEWER } from '../e2e/harness/accounts.ts'
import { signInClient } from '../e2e/harness/client.ts'
import type { TokenAudience } from '../shared/token-audiences.ts'
import type { TestClient } from '../test/client.ts'
import { START_ARGUMENTS, START_ENVIRONMENT } from '../test/processes/start-arguments.ts'
import { findFreePort } from '../test/real-http.ts'
import type { BenchDatabase } from './database.ts'
import { type Running, startProgram } from './processes.ts'

/** A user who has signed in at the product. */
export type Person = { client: TestClient; id: string; institutionIds: string[] }
export type Product = Running & { people: Record<'reviewer' | 'colleague' | 'institution', Person> }

/** Starts the floor, which writes its files into `folder`. */
export async function startFloor(database: BenchDatabase, folder: string): Promise<Running> {
  const port = await findFreePort()
  const env = { PORT: String(port), DATABASE_URL: database.url, FOLDER: folder, NODE_ENV: 'production' }
  return startProgram(['bench/floor.ts'], { port, env, ready: 'floor listens' })
}

/** Starts the product as in production, on plain HTTP; without `databaseUrl` it runs the PostgreSQL of `dataDir` itself. */
export const startServer = (
  {
    port,
    dataDir,
    databaseUrl,
    workers = 1,
  }: { port: number; dataDir: string; databaseUrl?: string; workers?: number },
  args: readonly string[] = [],
): Promise<Running> =>
  startProgram([...args, ...START_ARGUMENTS], {
    port,
    ready: `Dosar: http://localhost:${port}\n`,
    env: {
      ...START_ENVIRONMENT,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      AUTH_SECRET: SECRET,
      LOG_LEVEL: 'warn',
      WORKERS: String(workers),
    },
  })

/**
 * Starts the product on the bench's database, and signs in one user of each kind through its own routes. With `audit`
 * false nothing is written to the audit log. It has one worker, as the floor, unless `workers` says how many.
 */
export async function startProduct(
  database: BenchDatabase,
  { audit, args = [], workers = 1 }: { audit: boolean; args?: readonly string[]; workers?: number },
): Promise<Product> {
  const running = await startServer(
    { port: await findFreePort(), dataDir: database.dataDir, databaseUrl: database.url, workers },
    [...args, ...(audit ? [] : ['--import', './bench/without-audit.ts'])],
  )
  const signIn = async (email: string): Promise<Person> => {
    const client = await signInClient(running.url, email)
    const { id } = await database.db
      .selectFrom('app_user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const institutions = await database.db
      .selectFrom('user_institution')
      .select('institution_id')
      .where('user_id', '=', id)
      .execute()
    return { client, id, institutionIds: institutions.map(({ institution_id }) => institution_id) }
  }
  return {
    ...running,
    people: {
      reviewer: await signIn(REVIEWER),
      colleague: await signIn(ADMIN),
      institution: await signIn(INSTITUTION),
    },
  }
}

/**
 * The same at every run: with another secret the next run could not verify the audit chain. It protects
 * invented data only.
 */
const SECRET = 'a fixed secret that is used for measuring alone'

/** Returns `Bearer …`, valid for some minutes. */
export async function bearerOf({ client }: Person, audience: TokenAudience): Promise<string> {
  const { id_token } = (await (await client.fetch(`/api/token?audience=${audience}`)).json()) as {
    id_token: string
  }
  return `Bearer ${id_token}`
}
