import type { Hold } from '../../../shared/reviews/holds.ts'

/** An entry of `review.checks` of before the gate: a CNP of another person. */
type StoredMismatch = { fileId: string; fileName: string; cnpMasked: string }

/** Returns the holds that are stored with a verdict, also with one of before the gate. */
export const readHolds = (checks: unknown): Hold[] =>
  (checks as (Hold | StoredMismatch)[]).map((check) =>
    'kind' in check
      ? check
      : {
          kind: 'disagrees',
          what: 'cnp',
          value: check.cnpMasked,
          fileId: check.fileId,
          fileName: check.fileName,
        },
  )
