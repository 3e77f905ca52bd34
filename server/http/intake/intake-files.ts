import { type Context, Hono } from 'hono'
import { INTAKE_FILES_PATH } from '../../../shared/integrations.ts'
import type { Ctx, IntegrationActor } from '../../context.ts'
import { beginIntakeTransfer } from '../../features/integrations/begin-intake-transfer.ts'
import { receiveTransferBytes } from '../../features/integrations/receive-transfer-bytes.ts'
import {
  getIntegrationTransfer,
  type IntegrationTransfer,
} from '../../features/uploads/transfers/integration-transfers.ts'
import { readOffset } from '../../features/uploads/transfers/resume-transfer.ts'
import { transferIdOf } from '../../features/uploads/transfers/transfer-id.ts'
import type { Services } from '../../services.ts'
import type { SenderTransfers } from '../tus/transfer-store.ts'
import { effectiveMethod, openTus, throwAsTus } from '../tus/tus.ts'
import { readDocumentMetadata } from '../tus/upload-metadata.ts'
import type { Env } from '../types.ts'
import { type AdmitIntegration, readIdempotencyKey } from './intake-admission.ts'

/**
 * Receives large documents of integrations by the resumable tus protocol 1.0 (creation, termination). The transfer of a key is
 * the same however often its POST is repeated; `POST /api/intake` files what it has brought.
 */
export function intakeFileRoutes(services: Services, admit: AdmitIntegration): Hono<Env> {
  const tus = openTus(services, { path: INTAKE_FILES_PATH, extensions: ['creation', 'termination'] })
  const routes = new Hono<Env>()
  routes.onError(throwAsTus)
  routes.all('/', (c) => handle(c, null))
  routes.all('/:id', (c) => handle(c, c.req.param('id')))
  return routes

  function handle(c: Context<Env>, id: string | null): Promise<Response> {
    const method = effectiveMethod(c)
    if (method === 'OPTIONS') return tus.describe(c)
    return admit(c, async (ctx) => tus.handle(c, id, transfersOf(ctx, c)))
  }
}

type SentFile = ReturnType<typeof readDocumentMetadata>

function transfersOf(
  ctx: Ctx<IntegrationActor>,
  c: Context<Env>,
): SenderTransfers<IntegrationTransfer, SentFile> {
  return {
    ctx,
    newId: () => transferIdOf(ctx.actor.id, readIdempotencyKey(c)),
    readMetadata: readDocumentMetadata,
    begin: (_id, file) => beginIntakeTransfer(ctx, { ...file, key: readIdempotencyKey(c) }),
    get: (id) => getIntegrationTransfer(ctx, id),
    resume: (transfer) => readOffset(ctx, transfer),
    receive: (transfer, body, options) => receiveTransferBytes(ctx, transfer, body, options),
  }
}
