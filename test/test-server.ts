import { onTestFinished } from 'vitest'
import type { Config } from '../server/config.ts'
import { createDatabase } from './databases.ts'
import { type OpenServer, openServer } from './open-server.ts'

export type { GraphqlResponse, TestClient } from './client.ts'
export type { OpenServer as TestServer } from './open-server.ts'

/**
 * Opens the whole product on a database and a data folder for this test. Both are removed at the end of the test, or in
 * `atEnd`: pass `afterAll` for one server for a whole file.
 */
export async function createTestServer(
  overrides: Partial<Config> = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<OpenServer> {
  const { connection, drop } = await createDatabase()
  const server = await openServer(connection, overrides)
  atEnd(async () => {
    await server.stop()
    await drop()
  })
  return server
}
