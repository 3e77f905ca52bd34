import { describe, expect, it } from 'vitest'
import { findMissing, NOTHING_RECEIVED, planResume } from './resume-plan.ts'

const content = (letter: string, size = 100) => ({ sha256: letter.repeat(64), size })
const whole = (letter: string) => ({ ...content(letter), id: letter, name: `${letter}.pdf` })
const partial = (id: string, letter: string, received: number, size = 100) => ({
  ...content(letter, size),
  id,
  name: `${letter}.pdf`,
  received,
})

describe('planResume', () => {
  it('sends a file that the server does not have from the first byte', () => {
    expect(planResume(content('a'), NOTHING_RECEIVED)).toEqual({ kind: 'new' })
    expect(planResume(content('a'), { files: [whole('b')], transfers: [partial('1', 'c', 10)] })).toEqual({
      kind: 'new',
    })
  })

  it('continues the transfer of the same content under another name', () => {
    const arrived = { files: [], transfers: [partial('1', 'b', 50), partial('2', 'a', 40)] }
    expect(planResume(content('a'), arrived)).toEqual({ kind: 'continue', transferId: '2' })
  })

  it('continues the transfer with the most received bytes', () => {
    const transfers = [partial('1', 'a', 0), partial('2', 'a', 70), partial('3', 'a', 30)]
    expect(planResume(content('a'), { files: [], transfers })).toEqual({ kind: 'continue', transferId: '2' })
    expect(transfers.map(({ id }) => id)).toEqual(['1', '2', '3'])
  })

  it('does not continue a transfer of another size with the same fingerprint', () => {
    expect(planResume(content('a', 99), { files: [], transfers: [partial('1', 'a', 40)] })).toEqual({
      kind: 'new',
    })
  })

  it('sends nothing of a file that has arrived whole, even if a partial transfer is left', () => {
    expect(planResume(content('a'), { files: [whole('a')], transfers: [partial('1', 'a', 40)] })).toEqual({
      kind: 'arrived',
    })
  })
})

describe('findMissing', () => {
  it('returns the transfers that no chosen file continues', () => {
    const transfers = [partial('1', 'a', 10), partial('2', 'b', 20), partial('3', 'c', 30, 7)]
    expect(findMissing(transfers, [content('b'), content('c', 8)]).map(({ id }) => id)).toEqual(['1', '3'])
    expect(findMissing(transfers, [content('a'), content('b'), content('c', 7)])).toEqual([])
  })
})
