import { expect, it } from 'vitest'
import { isId, newId } from './ids.ts'

it('ids sort by creation, also those of one millisecond', () => {
  const ids = Array.from({ length: 20_000 }, newId)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isId)).toBe(true)
})
