import { expect, it } from 'vitest'
import { readByteRange } from './byte-range.ts'

it.each([
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=100-', { start: 100, end: 999 }],
  ['bytes=-1', { start: 999, end: 999 }],
  ['bytes=-5000', { start: 0, end: 999 }],
  ['bytes=990-5000', { start: 990, end: 999 }],
  ['bytes=1000-', 'unsatisfiable'],
  ['bytes=5000-6000', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=0-1,3-4', null],
  [`bytes=${Array(1000).fill('0-0').join(',')}`, null],
  ['bytes=9-3', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
  ['items=0-1', null],
  ['', null],
  [undefined, null],
])('reads %s (E09)', (header, range) => {
  expect(readByteRange(header, 1000)).toEqual(range)
})
