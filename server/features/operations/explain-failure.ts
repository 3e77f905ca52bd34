import type { ErrorCode } from '../../../shared/errors.ts'
import { ITEM_REASONS, type ItemReason } from '../../../shared/uploads/operations.ts'
import type { Ctx } from '../../context.ts'
import { UserError } from '../../errors.ts'
import { errorFields } from '../../platform/log.ts'
import type { ItemResult, ItemRow } from './operations.db.ts'

export const withReason = (reason: ItemReason) => ({ reason, message: ITEM_REASONS[reason] })

/** The upload is no longer as it was planned, or as the operation left it. */
export class ChangedMeanwhile extends Error {}

const REASONS: Partial<Record<ErrorCode, ItemReason>> = {
  FORBIDDEN: 'not-allowed',
  NOT_FOUND: 'not-found',
  CONFLICT: 'state',
  BAD_USER_INPUT: 'refused',
}

/** Returns why an item could not be changed; an unexpected error is logged. */
export function explainFailure(
  { services }: Ctx,
  { operation_id, upload_id }: ItemRow,
  error: unknown,
): Omit<ItemResult, 'outcome'> {
  if (error instanceof ChangedMeanwhile) return withReason('changed-meanwhile')
  if (error instanceof UserError && Object.hasOwn(REASONS, error.code))
    return { reason: REASONS[error.code]!, message: error.userMessage }
  services.log.error('operation: an upload failed', {
    operation: operation_id,
    upload: upload_id,
    ...errorFields(error),
  })
  return withReason('error')
}
