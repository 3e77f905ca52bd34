import { expect, it } from 'vitest'
import { isUnderWay, type NewUploadFile, type NewUploadFileStatus, sumProgress } from './new-upload-file.ts'

const file = (status: NewUploadFileStatus, done: number, size = 100): NewUploadFile => ({
  id: status,
  name: `${status}.pdf`,
  size,
  status,
  done,
  sha256: null,
  reason: null,
})

it('adds up what has arrived: bytes read for a fingerprint are none of it, skipped files neither', () => {
  const files = [
    file('hashing', 90),
    file('ready', 100),
    file('sending', 40),
    file('sent', 100),
    file('skipped', 0, 999),
  ]
  expect(sumProgress(files)).toEqual({ done: 140, size: 400 })
  expect(sumProgress([])).toEqual({ done: 0, size: 0 })
})

it('knows which files the leave warning is for', () => {
  const under = ['hashing', 'ready', 'waiting', 'sending', 'paused', 'retrying'] as const
  const over = ['sent', 'failed', 'skipped'] as const
  expect(under.every((status) => isUnderWay(file(status, 0)))).toBe(true)
  expect(over.some((status) => isUnderWay(file(status, 0)))).toBe(false)
})
