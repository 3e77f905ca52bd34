import { describe, expect, it } from 'vitest'
import {
  canPause,
  canRemove,
  isSilent,
  type NewUploadFile,
  type NewUploadFileStatus,
  newUploadFile,
  sumProgress,
} from './new-upload-file.ts'

const file = (status: NewUploadFileStatus, done: number, size = 100): NewUploadFile => ({
  ...newUploadFile(new File([], `${status}.pdf`)),
  size,
  status,
  done,
  changedAt: 0,
})

describe('sumProgress', () => {
  it('counts neither bytes read for a fingerprint nor duplicates', () => {
    const files = [
      file('hashing', 90),
      file('ready', 100),
      file('sending', 40),
      file('sent', 100),
      file('duplicate', 0, 999),
    ]
    expect(sumProgress(files)).toEqual({ done: 140, size: 400 })
    expect(sumProgress([])).toEqual({ done: 0, size: 0 })
  })
})

const under = [
  'hashing',
  'ready',
  'waiting',
  'connecting',
  'sending',
  'paused',
  'retrying',
  'removing',
] as const
const over = ['duplicate', 'sent', 'kept', 'failed'] as const

describe('canPause', () => {
  it('is true only for files in the queue, being connected, sent or retried', () => {
    const pausable = [...under, ...over].filter((status) => canPause(file(status, 0)))
    expect(pausable).toEqual(['waiting', 'connecting', 'sending', 'retrying'])
  })
})

describe('isSilent', () => {
  it.each<[NewUploadFileStatus, done: number, limit: number]>([
    ['connecting', 0, 20_000],
    ['connecting', 100, 20_000],
    ['sending', 40, 20_000],
    // All bytes are sent and the server checks them.
    ['sending', 100, 90_000],
    ['retrying', 40, 90_000],
  ])('is true for %s with %i of 100 bytes sent after %i ms without a change', (status, done, limit) => {
    expect(isSilent(file(status, done), limit - 1)).toBe(false)
    expect(isSilent(file(status, done), limit)).toBe(true)
  })

  it.each([...over, 'hashing', 'ready', 'waiting', 'paused', 'removing'] as const)(
    'is never true for %s',
    (status) => {
      expect(isSilent(file(status, 0), Number.MAX_SAFE_INTEGER)).toBe(false)
    },
  )
})

describe('canRemove', () => {
  it('is false only for a file that is being removed or that the server has kept', () => {
    const fixed = [...under, ...over].filter((status) => !canRemove(file(status, 100)))
    expect(fixed).toEqual(['removing', 'kept'])
  })
})
