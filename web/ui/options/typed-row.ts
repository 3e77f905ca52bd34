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

/** Returns the row that the text can only mean: the single row, or the one with exactly this name; else null. */
export const findOnlyRow = (rows: readonly Row[], text: string): Row | null =>
  (rows.length === 1 ? rows[0] : rows.find(({ label }) => isSameText(label, text))) ?? null

/**
 * Returns the row that Enter and Tab choose for a text: the only possible row, else the first option that
 * `matches` and is not chosen yet; null if there is none.
 */
export const findTypedRow = (
  rows: readonly Row[],
  text: string,
  matches: (label: string) => boolean,
): Row | null =>
  findOnlyRow(rows, text) ??
  rows.find(({ label, isChosen, isAction }) => !isChosen && !isAction && matches(label)) ??
  null
