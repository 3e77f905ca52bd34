import type { Readable } from 'node:stream'
import type { Ctx, IntegrationActor } from '../../context.ts'
import { appendBytes, type ReceiveOptions } from '../uploads/transfers/append-bytes.ts'
import {
  getIntegrationTransfer,
  type IntegrationTransfer,
} from '../uploads/transfers/integration-transfers.ts'
import { requireUnrevoked } from './find-integration.ts'

/**
 * Appends a request's bytes to a transfer of an integration, which the caller has locked, and returns its size. Throws
 * UNAUTHENTICATED within seconds when the key is revoked.
 */
export const receiveTransferBytes = (
  ctx: Ctx<IntegrationActor>,
  transfer: IntegrationTransfer,
  body: Readable,
  options: ReceiveOptions,
): Promise<number> =>
  appendBytes(ctx, transfer, body, {
    ...options,
    assertAccess: async () => {
      await requireUnrevoked(ctx)
      await getIntegrationTransfer(ctx, transfer.id)
    },
  })
