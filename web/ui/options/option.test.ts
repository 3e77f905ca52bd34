import { expect, test } from 'vitest'
import { findOptions, flatOptions } from './option.ts'

const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, label: id })) as [Named, Named, Named]
type Named = { id: string; label: string }

test('lists the options of groups in order [3.10]', () => {
  expect(flatOptions([{ label: 'Primele', options: [a, b] }, c])).toEqual([a, b, c])
})

test('finds options in the order of their ids, without unknown ids [3.10]', () => {
  expect(findOptions(['c', 'x', 'a'], [a, b, c])).toEqual([c, a])
})
