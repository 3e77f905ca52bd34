import { join } from 'node:path'
import { assertEmpty } from '../db/generate.ts'
import { seedDemo } from '../db/seed.ts'
import { migrateDatabase } from '../server/platform/database/migrate.ts'
import { openDiskStorage } from '../server/platform/storage/disk-storage.ts'
import { withDatabase } from './open-database.ts'

/** `npm run db:seed`: fills an empty database with the demo organisation, without starting the server. */
await withDatabase(async ({ config, connection, db, log }) => {
  await assertEmpty(db)
  await migrateDatabase(connection, log)
  await seedDemo({ db, storage: await openDiskStorage(join(config.dataDir, 'files')), now: new Date() })
})
