import { expect, it } from 'vitest'
import { countRoots, dateOf, newestFirst } from './sort-uploads.ts'

const upload = (slug: string | null, examinedOn: string | null, createdAt: string) => ({
  category: slug === null ? null : { slug },
  examinedOn,
  createdAt,
})

it('sorts by the day of the examination, or of filing if it is unknown, newest first', () => {
  const early = upload('a', '2026-01-02', '2026-03-09T10:00:00Z')
  const undated = upload(null, null, '2026-02-01T10:00:00Z')
  const late = upload('b', '2026-02-01', '2026-02-02T10:00:00Z')
  const latest = upload('b', '2026-03-01', '2026-03-01T10:00:00Z')
  expect(newestFirst([early, undated, late, latest])).toEqual([latest, late, undated, early])
})

it('takes the day of filing in Romania, where it begins before that of UTC', () => {
  expect(dateOf(upload(null, null, '2026-06-30T21:30:00Z'))).toBe('2026-07-01')
})

it('counts by top-level category, the largest first', () => {
  const at = '2026-01-01T10:00:00Z'
  const uploads = [
    upload('a::b', null, at),
    upload(null, null, at),
    upload('c', null, at),
    upload('a', null, at),
  ]
  expect(countRoots(uploads)).toEqual([
    { slug: 'a', count: 2 },
    { slug: null, count: 1 },
    { slug: 'c', count: 1 },
  ])
  expect(countRoots([])).toEqual([])
})
