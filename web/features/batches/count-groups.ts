import type { BatchHead } from './batches.queries.ts'

/** How many groups of a batch there are, filed or not. */
export const countAll = ({ counts: { waiting, sure, likely, none, conflict, filed } }: BatchHead): number =>
  waiting + sure + likely + none + conflict + filed
