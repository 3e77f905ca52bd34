import type { Ctx } from '../../../context.ts'
import { type FactRow, selectFacts } from './facts.db.ts'

/** Returns what the files of an upload state, for callers that have read the upload with the actor's scope. */
export const readFacts = ({ db }: Ctx, uploadId: string): Promise<FactRow[]> => selectFacts(db, uploadId)
