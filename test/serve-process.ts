import { serve } from '@hono/node-server'
import { createApp } from '../server/app.ts'
import { openDatabase } from '../server/platform/database/database.ts'
import { createLog } from '../server/platform/log.ts'
import { openServices } from './open-services.ts'

const { connection, dataDir } = JSON.parse(process.env.SERVER ?? '{}')
const log = createLog('error', (line) => process.stderr.write(line))
const db = openDatabase(connection, () => undefined)
const jobs = { enqueue: async () => undefined, retry: async () => false }
const { services } = await openServices(connection, dataDir, { db, log, jobs })
const app = createApp(services)
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
