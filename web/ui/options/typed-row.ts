import { isSameText } from './match-options.ts'

/** An enabled row of the open list. */
export interface Row {
  id: string
  label: string
  /** Whether it is an option of a multiple choice that is chosen already: Enter on it would remove it. */
  isChosen: boolean
  /** Whether it acts (retries, creates an option) instead of being chosen. */
  isAction: boolean
}

/**
 * Returns the row that the text can only mean: the single row, or the only one with exactly this name. Null
 * for two people of one name, and while the list has more rows (`hasMore`), which may have the name as well.
 */
export function findOnlyRow(rows: readonly Row[], text: string, hasMore: boolean): Row | null {
  if (hasMore) return null
  const candidates = rows.length === 1 ? rows : rows.filter(({ label }) => isSameText(label, text))
  return candidates.length === 1 ? candidates[0]! : null
}

/**
 * Returns the row that Enter and Tab choose for a text, which is marked: the single row or the first of this
 * name, else the first option that `matches` and is not chosen yet; null if there is none.
 */
export const findTypedRow = (
  rows: readonly Row[],
  text: string,
  matches: (label: string) => boolean,
): Row | null =>
  (rows.length === 1 ? rows[0] : rows.find(({ label }) => isSameText(label, text))) ??
  rows.find(({ label, isChosen, isAction }) => !isChosen && !isAction && matches(label)) ??
  null
