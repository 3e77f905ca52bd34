import { Hono } from 'hono'
import type { Parts } from '../parts.ts'
import { pingDatabase } from '../platform/database.ts'
import type { Env } from './types.ts'

/** Whether this server can work: 200 while the database answers. */
export function createHealthDoor({ db }: Pick<Parts, 'db'>): Hono<Env> {
  const door = new Hono<Env>()
  door.get('/', async (c) => {
    c.header('cache-control', 'no-store')
    const answers = await pingDatabase(db).then(
      () => true,
      () => false,
    )
    return answers ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503)
  })
  return door
}
