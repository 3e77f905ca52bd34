import { describe, expect, it } from 'vitest'
import { canDecideNow, MIN_SHOWN_MS } from './decision-guard.ts'

const seen = { version: 4, seenVersion: 4, shownAt: 1_000, now: 1_000 + MIN_SHOWN_MS, isDeciding: false }

describe('canDecideNow', () => {
  it('is open once the document has been on the screen for MIN_SHOWN_MS', () => {
    expect(canDecideNow(seen)).toBe('open')
  })

  it('is closed until the document is shown, and for MIN_SHOWN_MS after that', () => {
    expect(canDecideNow({ ...seen, shownAt: null })).toBe('loading')
    expect(canDecideNow({ ...seen, now: 1_000 })).toBe('too-early')
    expect(canDecideNow({ ...seen, now: 1_000 + MIN_SHOWN_MS - 1 })).toBe('too-early')
  })

  it('is closed when the upload has changed while the reviewer looked at it', () => {
    expect(canDecideNow({ ...seen, version: 5 })).toBe('changed')
  })

  it('is closed after a conflict until the reviewer has seen the changes', () => {
    expect(canDecideNow({ ...seen, seenVersion: null })).toBe('changed')
  })

  it('is closed while a verdict is being sent, also if its response has changed the version', () => {
    expect(canDecideNow({ ...seen, isDeciding: true })).toBe('deciding')
    expect(canDecideNow({ ...seen, isDeciding: true, version: 6 })).toBe('deciding')
  })
})
