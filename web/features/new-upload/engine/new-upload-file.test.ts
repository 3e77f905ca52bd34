import { describe, expect, it } from 'vitest'
import {
  canPause,
  canRemove,
  isSilent,
  isUnderWay,
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
  it('counts neither bytes read for a fingerprint nor skipped files', () => {
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
})

const under = ['hashing', 'ready', 'waiting', 'sending', 'paused', 'retrying'] as const
const over = ['sent', 'failed', 'skipped'] as const

describe('isUnderWay', () => {
  it('includes paused files and excludes arrived, failed and skipped ones', () => {
    expect(under.every((status) => isUnderWay(file(status, 0)))).toBe(true)
    expect(over.some((status) => isUnderWay(file(status, 0)))).toBe(false)
  })
})

describe('canPause', () => {
  it('is true only for files in the queue, being sent or retried', () => {
    const pausable = [...under, ...over].filter((status) => canPause(file(status, 0)))
    expect(pausable).toEqual(['waiting', 'sending', 'retrying'])
  })
})

describe('isSilent', () => {
  it.each<[NewUploadFileStatus, done: number, limit: number]>([
    ['sending', 40, 20_000],
    // All bytes are sent and the server checks them.
    ['sending', 100, 90_000],
    ['retrying', 40, 90_000],
  ])('is true for %s with %i of 100 bytes sent after %i ms without a change', (status, done, limit) => {
    expect(isSilent(file(status, done), limit - 1)).toBe(false)
    expect(isSilent(file(status, done), limit)).toBe(true)
  })

  it.each(['hashing', 'ready', 'waiting', 'paused', 'sent', 'failed', 'skipped'] as const)(
    'is never true for %s',
    (status) => {
      expect(isSilent(file(status, 0), Number.MAX_SAFE_INTEGER)).toBe(false)
    },
  )
})

describe('canRemove', () => {
  it('is false once all bytes were sent without a response, because the server may have filed the file', () => {
    for (const status of ['sending', 'paused', 'retrying'] as const) {
      expect(canRemove(file(status, 99))).toBe(true)
      expect(canRemove(file(status, 100))).toBe(false)
    }
    expect(canRemove({ ...file('failed', 100), isUnreachable: true })).toBe(false)
    expect(canRemove(file('sent', 100))).toBe(false)
  })

  it('is true before sending and after a rejection', () => {
    for (const status of ['hashing', 'ready', 'waiting', 'skipped', 'failed'] as const)
      expect(canRemove(file(status, 100))).toBe(true)
  })
})
