import type { Screen } from './access/site-map.ts'

/** Where pages report their unhandled errors. */
export const PAGE_ERRORS_PATH = '/api/page-errors'
/** Positions of the stack in one report. */
export const MAX_POSITIONS = 10
export const ERROR_NAME_PATTERN = /^[A-Za-z]{0,40}(Errors?|Exception)$/
/** A position in a script of the product, in the stack of any browser. */
export const POSITION_PATTERN = /assets\/[a-z][a-z.-]{0,40}-[\w-]{8}\.js:\d{1,6}:\d{1,6}/

/** An unhandled error of a page, without personal data. */
export type PageError = {
  /** The class of the error; null if it is no error or its name has other characters than letters. */
  name: string | null
  status: number | null
  /** The server's id of the failed request. */
  request: string | null
  screen: Screen | null
  build: string | null
  /** Places in the product's own scripts: file, line and column. */
  positions: string[]
}
