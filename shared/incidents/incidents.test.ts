import { describe, expect, it } from 'vitest'
import { deadlineOf, readClock } from './incidents.ts'

const DISCOVERED = '2026-11-20T08:00:00.000Z'
const later = (hours: number) => new Date(Date.parse(DISCOVERED) + hours * 3_600_000)

describe('the clock of an incident', () => {
  it('ends 72 hours after the discovery', () => {
    expect(deadlineOf(DISCOVERED)).toEqual(later(72))
  })

  it.each([
    [0, 'running', 'Mai sunt 72 de ore'],
    [47.9, 'running', 'Mai sunt 24 de ore'],
    [48, 'near', 'Mai sunt 24 de ore'],
    [71.1, 'near', 'Mai sunt 54 de minute'],
    [72, 'overdue', 'Termen depășit de 0 minute'],
    [73.5, 'overdue', 'Termen depășit de 1 oră'],
  ] as const)('after %d hours is %s', (hours, state, text) => {
    expect(readClock(DISCOVERED, later(hours))).toEqual({ state, text })
  })
})
