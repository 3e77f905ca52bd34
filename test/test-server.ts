import { onTestFinished } from 'vitest'
import type { Config } from '../server/config.ts'
import { createDatabase } from './databases.ts'
import { type OpenServer, openServer } from './open-server.ts'

export type { GraphqlResponse, OpenServer as TestServer, TestClient } from './open-server.ts'

/**
 * The whole product on a database and a folder of the test's own. Both go when the test is done, or when `atEnd` says:
 * pass `afterAll` for one server for a whole file.
 */
export async function createTestServer(
  over: Partial<Config> = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<OpenServer> {
  const { connection, drop } = await createDatabase()
  const server = await openServer(connection, over)
  atEnd(async () => {
    await server.stop()
    await drop()
  })
  return server
}
