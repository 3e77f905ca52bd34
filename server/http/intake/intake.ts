import { type Context, Hono } from 'hono'
import { fileIntakeTransfer } from '../../features/integrations/file-intake-transfer.ts'
import { receiveIntake } from '../../features/integrations/receive-intake.ts'
import type { Services } from '../../services.ts'
import { bodyOf } from '../request-body.ts'
import type { Env } from '../types.ts'
import { createAdmission, readIdempotencyKey } from './intake-admission.ts'
import { intakeFileRoutes } from './intake-files.ts'
import { readForm } from './intake-form.ts'

/**
 * Receives documents of integrations as `multipart/form-data`: what they state of it (`facts`) and the file, which is streamed
 * to the disk, or the `transfer` that has brought it. Responds with 201 once it is durable, and with 200 to the same again.
 */
export function intakeRoutes(services: Services): Hono<Env> {
  const admit = createAdmission(services)
  const routes = new Hono<Env>()
  routes.post('/', (c) =>
    admit(c, async (ctx) => {
      const key = readIdempotencyKey(c)
      const form = await readForm(bodyOf(c), c.req.header('content-type') ?? '')
      const { receipt, isNew } =
        'transfer' in form
          ? await fileIntakeTransfer(ctx, { ...form, key })
          : await receiveIntake(ctx, { ...form, key, announced: readLength(c) })
      return c.json(receipt, isNew ? 201 : 200, { 'cache-control': 'no-store' })
    }),
  )
  routes.route('/files', intakeFileRoutes(services, admit))
  return routes
}

function readLength(c: Context<Env>): number | null {
  const length = Number(c.req.header('content-length') ?? Number.NaN)
  return Number.isNaN(length) ? null : length
}
