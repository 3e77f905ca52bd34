import { graphql, type ResultOf } from '../api/graphql.ts'

/** Why a search has found a row. */
export const RowReason = graphql(`
  fragment RowReason on SearchReason {
    rowId
    kind
    text
  }
`)
export type RowReason = ResultOf<typeof RowReason>
