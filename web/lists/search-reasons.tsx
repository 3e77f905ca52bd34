import type { RowReason } from './search-reasons.queries.ts'

/** Whether a list shows near names, since nothing matches exactly. */
export const isNear = (reasons: readonly RowReason[] | undefined): boolean =>
  reasons?.some(({ kind }) => kind === 'NEAR_NAME') ?? false

/** Why a search has found a row, beside what the row shows. */
export function SearchReason({
  rowId,
  reasons,
}: {
  rowId: string
  reasons: readonly RowReason[] | undefined
}) {
  const reason = reasons?.find((each) => each.rowId === rowId)
  return reason ? <span className="block text-xs font-normal text-muted">{reason.text}</span> : null
}

export const NEAR_NAMES = 'Nimic exact: arătăm nume apropiate.'
