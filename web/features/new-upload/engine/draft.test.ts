import { describe, expect, it } from 'vitest'
import { type Draft, findLoss } from './draft.ts'
import { type NewUploadFileStatus, newUploadFile } from './new-upload-file.ts'
import { NOTHING_RECEIVED } from './transfers/resume-plan.ts'

const SENDING: Draft = {
  status: 'sending',
  target: { uploadId: '1', number: 1, title: '1' },
  isHandedIn: true,
  isContinued: false,
  earlier: NOTHING_RECEIVED,
  removed: [],
  failure: null,
  isRepeated: false,
}

const filesOf = (...statuses: NewUploadFileStatus[]) =>
  statuses.map((status) => ({ ...newUploadFile(new File(['a'], 'a.pdf')), status }))

describe('leaving the page', () => {
  it.each<NewUploadFileStatus[]>([['connecting'], ['sent', 'failed'], ['sent', 'kept'], ['failed']])(
    'interrupts an open upload until it has ended: %s %s',
    (...statuses) => {
      expect(findLoss(SENDING, filesOf(...statuses))).toBe('sending')
    },
  )

  it('loses chosen files before the upload is created', () => {
    expect(findLoss({ status: 'choosing' }, filesOf('ready'))).toBe('chosen')
    expect(findLoss({ status: 'creating' }, filesOf('ready'))).toBe('chosen')
  })

  it('loses chosen files until they are handed in; of an upload that was begun earlier only what was written', () => {
    const filling = { ...SENDING, isHandedIn: false }
    expect(findLoss(filling, filesOf('sent'))).toBe('chosen')
    expect(findLoss({ ...filling, isContinued: true }, filesOf('sent'))).toBe('written')
    expect(findLoss({ ...filling, isContinued: true }, filesOf('sent', 'sending'))).toBe('sending')
  })

  it('loses nothing before files are chosen and after the upload has ended', () => {
    expect(findLoss({ status: 'choosing' }, [])).toBeNull()
  })
})
