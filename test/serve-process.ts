import { serve } from '@hono/node-server'
import { createApp } from '../server/app.ts'
import { createLog } from '../server/platform/log.ts'
import { connectAs } from './databases.ts'
import { openDatabases } from './open-server.ts'
import { openServices } from './open-services.ts'

const { connection, dataDir } = JSON.parse(process.env.SERVER ?? '{}')
const log = createLog('error', (line) => process.stderr.write(line))
const { staff, guests, recipients } = openDatabases(connection)
const jobs = { enqueue: async () => undefined, retry: async () => false }
const { services } = await openServices(connectAs(connection, 'staff'), dataDir, {
  db: staff,
  guests,
  recipients,
  log,
  jobs,
})
const app = createApp(services)
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
