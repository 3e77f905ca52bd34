import { describe, expect, it } from 'vitest'
import { canDecideNow, MIN_SHOWN_MS } from './decision-guard.ts'

const seen = { version: 4, seenVersion: 4, shownAt: 1_000, now: 1_000 + MIN_SHOWN_MS, isDeciding: false }

describe('canDecideNow', () => {
  it('is open once the document has stood on the screen for a moment', () => {
    expect(canDecideNow(seen)).toBe('open')
  })

  it('is closed until the document is there, and for a moment after', () => {
    expect(canDecideNow({ ...seen, shownAt: null })).toBe('loading')
    expect(canDecideNow({ ...seen, now: 1_000 })).toBe('settling')
    expect(canDecideNow({ ...seen, now: 1_000 + MIN_SHOWN_MS - 1 })).toBe('settling')
  })

  it('is closed when the upload was changed under the eyes of the reviewer', () => {
    expect(canDecideNow({ ...seen, version: 5 })).toBe('changed')
  })

  it('is closed when the server said that it was changed, until the reviewer has looked again', () => {
    expect(canDecideNow({ ...seen, seenVersion: null })).toBe('changed')
  })

  it('is closed while a verdict is on its way, whatever the answer has already changed', () => {
    expect(canDecideNow({ ...seen, isDeciding: true })).toBe('deciding')
    expect(canDecideNow({ ...seen, isDeciding: true, version: 6 })).toBe('deciding')
  })
})
