import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCountError, findDropIndex, moveItem } from './items.ts'

const list = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 8 })

test('a moved item is at its new index, and the others keep their order [3.10]', () => {
  fc.assert(
    fc.property(list, fc.nat(), fc.nat(), (items, a, b) => {
      const [from, to] = [a % items.length, b % items.length]
      const moved = moveItem(items, from, to)
      expect(moved[to]).toBe(items[from])
      expect(moved.filter((item) => item !== items[from])).toEqual(items.filter((_, i) => i !== from))
    }),
  )
})

test('a dropped item is placed after every other item whose middle is above the pointer [3.10]', () => {
  const middles = [50, 150, 250]
  expect(findDropIndex(middles, 0, 10)).toBe(0)
  expect(findDropIndex(middles, 0, 140)).toBe(0)
  expect(findDropIndex(middles, 0, 160)).toBe(1)
  expect(findDropIndex(middles, 0, 900)).toBe(2)
  expect(findDropIndex(middles, 2, 140)).toBe(1)
  expect(findDropIndex(middles, 2, -20)).toBe(0)
})

test('fewer than `min` and more than `max` items are rejected with a sentence [3.10]', () => {
  expect(findCountError('Persoane', 1, 2, 5)).toBe('Persoane: cel puțin 2.')
  expect(findCountError('Persoane', 2, 2, 5)).toBeNull()
  expect(findCountError('Persoane', 5, 2, 5)).toBeNull()
  expect(findCountError('Persoane', 6, 2, 5)).toBe('Persoane: cel mult 5.')
})
