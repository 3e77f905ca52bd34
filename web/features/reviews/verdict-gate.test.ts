import { describe, expect, it } from 'vitest'
import { SETTLING, verdictGate } from './verdict-gate.ts'

const seen = { version: 4, seenVersion: 4, shownAt: 1_000, now: 1_000 + SETTLING, isDeciding: false }

describe('verdictGate', () => {
  it('is open once the document has stood on the screen for a moment', () => {
    expect(verdictGate(seen)).toBe('open')
  })

  it('is closed until the document is there, and for a moment after', () => {
    expect(verdictGate({ ...seen, shownAt: null })).toBe('loading')
    expect(verdictGate({ ...seen, now: 1_000 })).toBe('settling')
    expect(verdictGate({ ...seen, now: 1_000 + SETTLING - 1 })).toBe('settling')
  })

  it('is closed when the upload was changed under the eyes of the reviewer', () => {
    expect(verdictGate({ ...seen, version: 5 })).toBe('changed')
  })

  it('is closed when the server said that it was changed, until the reviewer has looked again', () => {
    expect(verdictGate({ ...seen, seenVersion: null })).toBe('changed')
  })

  it('is closed while a verdict is on its way, whatever the answer has already changed', () => {
    expect(verdictGate({ ...seen, isDeciding: true })).toBe('deciding')
    expect(verdictGate({ ...seen, isDeciding: true, version: 6 })).toBe('deciding')
  })
})
