import type { Mark } from './page-marks.tsx'

/** Returns one mark for each place: several facts on one line are of another person if one of them is. */
export const mergeMarks = (marks: readonly Mark[]): Mark[] =>
  [...Map.groupBy(marks, ({ page, box }) => [page, ...box].join()).values()].map(
    (same) =>
      same.find(({ agrees }) => agrees === false) ?? same.find(({ agrees }) => agrees === true) ?? same[0]!,
  )
