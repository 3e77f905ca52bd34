import { describe, expect, it } from 'vitest'
import type { ResultLine } from './inbox.queries.ts'
import { describeRest, reverseOf } from './use-marks.ts'

describe('reverseOf', () => {
  it('takes back what the user has just marked', () => {
    expect([reverseOf('take', false), reverseOf('handle', false)]).toEqual(['put_back', 'reopen'])
  })

  it('takes a result again only for the one who had taken it, and handles none again', () => {
    expect([reverseOf('put_back', true), reverseOf('put_back', false)]).toEqual(['take', null])
    expect([reverseOf('reopen', true), reverseOf('reopen', false)]).toEqual([null, null])
  })
})

describe('describeRest', () => {
  const result = (inbox: Partial<NonNullable<ResultLine['inbox']>>) =>
    ({ patient: { name: 'Popescu Maria' }, inbox }) as ResultLine
  const taken = result({ state: 'taken', isMine: false, takenByName: 'Ana Pop' })
  const own = result({ state: 'taken', isMine: true, takenByName: 'Bogdan Rus' })
  const handled = result({ state: 'handled', isMine: false, handledByName: 'Ana Pop' })

  it('names who has marked the only result that could not be taken or handled', () => {
    expect(describeRest([taken], 0, 'take')).toBe('Popescu Maria: preluat de Ana Pop.')
    expect(describeRest([handled], 0, 'handle')).toBe('Popescu Maria: rezolvat de Ana Pop.')
  })

  it('names nobody for an own mark, and none for what takes a mark away', () => {
    expect(describeRest([own], 0, 'take')).toBe('1 rezultat rămas la fel.')
    expect(describeRest([handled], 0, 'put_back')).toBe('1 rezultat rămas la fel.')
    expect(describeRest([result({ state: 'new' })], 0, 'reopen')).toBe('1 rezultat rămas la fel.')
  })

  it('counts several, and those that were withdrawn, in the right number', () => {
    expect(describeRest([taken, own], 1, 'take')).toBe(
      '2 rezultate rămase la fel. 1 rezultat retras între timp.',
    )
    expect(describeRest([], 0, 'take')).toBeUndefined()
  })
})
