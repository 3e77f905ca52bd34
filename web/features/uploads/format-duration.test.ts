import { expect, it } from 'vitest'
import { formatDuration } from './format-duration.ts'

it.each([
  [0, 'sub un minut'],
  [1, '1 minut'],
  [45, '45 de minute'],
  [60, '1 oră'],
  [89, '1 oră'],
  [90, '2 ore'],
  [47 * 60, '47 de ore'],
  [48 * 60, '2 zile'],
  [20 * 24 * 60, '20 de zile'],
])('%i minutes are „%s”', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text)
})
