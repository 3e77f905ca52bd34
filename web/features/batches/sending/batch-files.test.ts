import { expect, it } from 'vitest'
import { addSample, fileKey, formatDuration, nameOfBatch, type Sample, secondsLeft } from './batch-files.ts'

it('a key has the path and the content, and keeps the end of a long path', () => {
  const sha256 = 'a'.repeat(64)
  expect(fileKey({ path: 'mai/a.pdf', sha256 })).toBe(`mai/a.pdf|${sha256}`)
  const long = fileKey({ path: `${'x'.repeat(600)}/a.pdf`, sha256 })
  expect(long).toHaveLength(500)
  expect(long.endsWith(`x/a.pdf|${sha256}`)).toBe(true)
})

it('a batch has the name of the one folder', () => {
  expect(nameOfBatch(['mai/a.pdf', 'mai/x/b.pdf'], 'Fișiere')).toBe('mai')
  expect(nameOfBatch(['mai/a.pdf', 'iunie/b.pdf'], 'Fișiere')).toBe('Fișiere')
  expect(nameOfBatch(['a.pdf'], 'Fișiere')).toBe('Fișiere')
})

it('the time left follows the speed of the last half minute', () => {
  let samples: Sample[] = []
  for (const [atMs, done] of [
    [0, 0],
    [1000, 100],
    [2000, 200],
  ] as const)
    samples = addSample(samples, { atMs, done })
  expect(secondsLeft(samples, 1000)).toBeNull()
  samples = addSample(samples, { atMs: 4000, done: 400 })
  expect(secondsLeft(samples, 1000)).toBe(6)
  samples = addSample(samples, { atMs: 40_000, done: 500 })
  expect(samples).toHaveLength(1)
  expect(addSample(samples, { atMs: 41_000, done: 0 })).toHaveLength(1)
})

it('a duration is rounded up', () => {
  expect([20, 61, 3600, 4801].map(formatDuration)).toEqual([
    'sub un minut',
    '2 min',
    '1 h 0 min',
    '1 h 21 min',
  ])
})
