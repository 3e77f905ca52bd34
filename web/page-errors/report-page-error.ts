import { findScreen } from '../../shared/access/site-map.ts'
import {
  ERROR_NAME_PATTERN,
  MAX_POSITIONS,
  PAGE_ERRORS_PATH,
  type PageError,
  POSITION_PATTERN,
} from '../../shared/page-errors.ts'
import { ownBuildId } from '../builds/own-build.ts'
import { findRequestId, findStatus } from './error-facts.ts'

/** Reports of one page load; the server limits them as well. */
const MAX_REPORTS = 5
const POSITIONS = new RegExp(POSITION_PATTERN, 'g')

let reports = 0

/**
 * Sends what helps to find the error to the server's log. The message is not sent: it may contain what the
 * user typed or saw.
 */
export function reportPageError(error: unknown): void {
  if (reports >= MAX_REPORTS) return
  reports += 1
  // Not through the client of the screens, whose retry and reports of a lost connection would follow.
  fetch(PAGE_ERRORS_PATH, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(describeError(error, location.pathname)),
  }).catch(() => undefined)
}

/** Returns the error without personal data: names, numbers and positions of the product's own code. */
export function describeError(error: unknown, path: string): PageError {
  const stack = error instanceof Error ? String(error.stack) : ''
  return {
    name: error instanceof Error && ERROR_NAME_PATTERN.test(error.name) ? error.name : null,
    status: findStatus(error) ?? null,
    request: findRequestId(error) ?? null,
    screen: findScreen(path) ?? null,
    build: ownBuildId ?? null,
    positions: (stack.match(POSITIONS) ?? []).slice(0, MAX_POSITIONS),
  }
}
