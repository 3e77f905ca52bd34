import { describe, expect, it } from 'vitest'
import { findMissing, NOTHING_RECEIVED, planResume } from './resume-plan.ts'

const content = (letter: string, size = 100) => ({ sha256: letter.repeat(64), size })
const begun = (id: string, letter: string, received: number, size = 100) => ({
  ...content(letter, size),
  id,
  name: `${letter}.pdf`,
  received,
})

describe('planResume', () => {
  it('sends a file that the server knows nothing of from its first byte', () => {
    expect(planResume(content('a'), NOTHING_RECEIVED)).toEqual({ kind: 'new' })
    expect(planResume(content('a'), { files: [content('b')], transfers: [begun('1', 'c', 10)] })).toEqual({
      kind: 'new',
    })
  })

  it('goes on with the beginning of the same content, whatever the name', () => {
    const arrived = { files: [], transfers: [begun('1', 'b', 50), begun('2', 'a', 40)] }
    expect(planResume(content('a'), arrived)).toEqual({ kind: 'continue', transferId: '2' })
  })

  it('takes the beginning that got further, where there are two', () => {
    const transfers = [begun('1', 'a', 0), begun('2', 'a', 70), begun('3', 'a', 30)]
    expect(planResume(content('a'), { files: [], transfers })).toEqual({ kind: 'continue', transferId: '2' })
    expect(transfers.map(({ id }) => id)).toEqual(['1', '2', '3'])
  })

  it('does not go on with another size under the same fingerprint', () => {
    expect(planResume(content('a', 99), { files: [], transfers: [begun('1', 'a', 40)] })).toEqual({
      kind: 'new',
    })
  })

  it('leaves out what has arrived whole, even where a beginning of it is left over', () => {
    expect(planResume(content('a'), { files: [content('a')], transfers: [begun('1', 'a', 40)] })).toEqual({
      kind: 'arrived',
    })
  })
})

describe('findMissing', () => {
  it('names the beginnings that nobody has chosen a file for', () => {
    const transfers = [begun('1', 'a', 10), begun('2', 'b', 20), begun('3', 'c', 30, 7)]
    expect(findMissing(transfers, [content('b'), content('c', 8)]).map(({ id }) => id)).toEqual(['1', '3'])
    expect(findMissing(transfers, [content('a'), content('b'), content('c', 7)])).toEqual([])
  })
})
