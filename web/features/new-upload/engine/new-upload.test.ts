import { beforeEach, describe, expect, it, vi } from 'vitest'
import { findMissingFiles, isOpen } from './draft.ts'
import type { HashReport, HashRequest } from './hash-file.worker.ts'
import { createNewUpload } from './new-upload.ts'
import type { Confirmation, SavingResult, SubmissionResult } from './submission.ts'
import type { FileRequests } from './transfers/file-sender.ts'
import type { ReceivedContent } from './transfers/resume-plan.ts'
import type { TusUploadOptions } from './transfers/tus-upload.ts'

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
  vi.useFakeTimers()
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

/** A fingerprint for each content; the tests' files contain one letter. */
const hashOf = (content: string) => content.repeat(64)
const hashAll = (...contents: string[]) => contents.map(hashOf)
const fileOf = (name: string, content: string) => new File([content], name)
const received = (content: string) => ({
  id: content,
  name: `${content}.pdf`,
  sha256: hashOf(content),
  size: 1,
})

const UNREACHABLE = { kind: 'refused', error: 'x', isUnreachable: true, content: null } as const
/** What the server has of a file that has begun to arrive. */
const partial = (content: string) => ({ ...received(content), received: 0 })

/** A new upload whose requests wait until the test responds; it is submitted without a question unless `isAsked`. */
function startUpload({ isAsked = false } = {}) {
  const creations: PromiseWithResolvers<{ id: string; number: number }>[] = []
  const submissions: (PromiseWithResolvers<SubmissionResult> & {
    id: string
    files: readonly string[]
    discarded: readonly string[]
  })[] = []
  const savings: (PromiseWithResolvers<SavingResult> & { id: string; title: string })[] = []
  const questions: (PromiseWithResolvers<Confirmation> & { uploadId: string })[] = []
  const withdrawals: (PromiseWithResolvers<void> & { id: string })[] = []
  const moves: (PromiseWithResolvers<unknown> & {
    id: string
    fileIds: readonly string[]
    patientId: string
  })[] = []
  const readings: (PromiseWithResolvers<ReceivedContent & { isHere: boolean }> & { id: string })[] = []
  const discards: (PromiseWithResolvers<'deleted' | 'finished'> & { uploadId: string; sha256: string })[] = []
  const deletions: (PromiseWithResolvers<'deleted' | 'finished'> & { url: string })[] = []
  const transfers = new Map<string, TusUploadOptions>()
  const events = {
    onSubmitted: vi.fn(),
    onWithdrawn: vi.fn(),
    onWithdrawFailed: vi.fn(),
    onWithdrawTooLate: vi.fn(),
    onSubmitFailed: vi.fn(),
    onRemoveFailed: vi.fn(),
    onMoved: vi.fn(),
    onMoveFailed: vi.fn(),
  }
  const pending = <T, Rest extends object>(list: (PromiseWithResolvers<T> & Rest)[], rest: Rest) => {
    const entry = { ...Promise.withResolvers<T>(), ...rest }
    list.push(entry)
    return entry.promise
  }
  /** What files that are sent wait for before they are stopped, if anything. */
  let settling: PromiseWithResolvers<'something' | 'unknown'> | null = null
  const requests: FileRequests = {
    startUpload: (options) => {
      transfers.set(options.content.name, options)
      const url = `/files/${options.content.name}`
      const leave = options.queue.add(options.onConnect)
      const settle = async () => {
        leave()
        return settling ? settling.promise : ('something' as const)
      }
      return { start: () => {}, stop: leave, settle, reconnect: () => {}, getUrl: () => url }
    },
    deleteTransfer: (url) => pending(deletions, { url }),
    discardFile: (uploadId, sha256) => pending(discards, { uploadId, sha256 }),
  }
  const upload = createNewUpload(
    {
      createUpload: (_input: { title: string }) => pending(creations, {}),
      saveDetails: (id, { title }) => pending(savings, { id, title }),
      ...(isAsked && { confirm: ({ uploadId }) => pending(questions, { uploadId }) }),
      submitUpload: (id, submission) => pending(submissions, { id, ...submission }),
      moveFiles: (id, fileIds, patientId) => pending(moves, { id, fileIds, patientId }),
      readContent: (id) => pending(readings, { id }),
      withdrawUpload: (id) => pending(withdrawals, { id }),
    },
    events,
    requests,
    (onReport: (report: HashReport) => void) => ({
      hash: async ({ id, file }: HashRequest) =>
        onReport({ id, kind: 'done', sha256: hashOf(await file.text()) }),
      stop: () => {},
    }),
  )
  const find = (name: string) => upload.engine.getFiles().find((file) => file.name === name)
  return {
    ...{
      upload,
      creations,
      savings,
      questions,
      submissions,
      withdrawals,
      deletions,
      discards,
      moves,
      readings,
      transfers,
      events,
      find,
    },
    statuses: () => upload.engine.getFiles().map(({ name, status }) => `${name} ${status}`),
    /** Chooses the files and lets the upload `id` be created. */
    begin: async (id: string, ...files: File[]) => {
      upload.choose(files)
      await flushPromises()
      void upload.begin({ title: id })
      creations.at(-1)!.resolve({ id, number: 1 })
      await flushPromises()
    },
    /** Chooses the files and lets the upload `id` be created, without handing it in. */
    prepare: async (id: string, ...files: File[]) => {
      upload.choose(files)
      await flushPromises()
      void upload.prepare({ title: id })
      creations.at(-1)!.resolve({ id, number: 1 })
      await flushPromises()
    },
    arrive: (name: string) => transfers.get(name)!.onSent(),
    /** Files that are sent get no response until this is resolved. */
    holdResponses: () => {
      settling = Promise.withResolvers()
      return settling
    },
    remove: async (name: string) => {
      void upload.remove(find(name)!.id)
      await flushPromises()
    },
  }
}

const flushPromises = () => vi.advanceTimersByTimeAsync(0)

describe('a removed file', () => {
  it('holds the submission until the server has deleted its transfer', async () => {
    const { begin, arrive, remove, statuses, deletions, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'), fileOf('b.pdf', 'b'))
    await remove('b.pdf')
    arrive('a.pdf')
    expect(statuses()).toEqual(['a.pdf sent', 'b.pdf removing'])
    expect([deletions.map(({ url }) => url), submissions]).toEqual([['/files/b.pdf'], []])
    deletions[0]!.resolve('deleted')
    await flushPromises()
    expect(submissions).toMatchObject([{ id: '1', files: hashAll('a') }])
  })

  it('is discarded if it has arrived', async () => {
    const { begin, arrive, remove, statuses, discards, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'), fileOf('b.pdf', 'b'))
    arrive('b.pdf')
    await remove('b.pdf')
    arrive('a.pdf')
    expect([discards, submissions]).toMatchObject([[{ uploadId: '1', sha256: hashOf('b') }], []])
    discards[0]!.resolve('deleted')
    await flushPromises()
    expect([statuses(), submissions]).toMatchObject([['a.pdf sent'], [{ files: hashAll('a') }]])
  })

  it('is not submitted without the consent of the user if the server keeps it', async () => {
    const { upload, begin, arrive, remove, statuses, deletions, discards, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'), fileOf('b.pdf', 'b'))
    await remove('b.pdf')
    arrive('a.pdf')
    deletions[0]!.resolve('finished')
    await flushPromises()
    discards[0]!.resolve('finished')
    await flushPromises()
    expect([statuses(), submissions]).toEqual([['a.pdf sent', 'b.pdf kept'], []])
    await upload.submit()
    expect(submissions).toEqual([])
    upload.engine.acceptKept()
    expect(submissions).toMatchObject([{ files: hashAll('a', 'b') }])
  })

  it('stays until the server has decided', async () => {
    const { begin, arrive, remove, find, deletions, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'), fileOf('b.pdf', 'b'))
    await remove('b.pdf')
    arrive('a.pdf')
    deletions[0]!.reject(new Error('no response'))
    await flushPromises()
    expect(find('b.pdf')).toMatchObject({ status: 'removing', reason: expect.stringMatching('nu răspunde') })
    await vi.advanceTimersByTimeAsync(2000)
    expect([deletions.length, submissions.length]).toEqual([2, 0])
    deletions[1]!.resolve('deleted')
    await flushPromises()
    expect(submissions).toMatchObject([
      { files: hashAll('a'), discarded: expect.arrayContaining(hashAll('b')) },
    ])
  })

  it('leaves its place to a file with the same content', async () => {
    const { begin, arrive, remove, statuses, deletions, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'), fileOf('copy.pdf', 'a'), fileOf('b.pdf', 'b'))
    expect(statuses()).toEqual(['a.pdf connecting', 'copy.pdf duplicate', 'b.pdf connecting'])
    await remove('a.pdf')
    arrive('b.pdf')
    deletions[0]!.resolve('deleted')
    await flushPromises()
    expect([statuses(), submissions]).toEqual([['copy.pdf connecting', 'b.pdf sent'], []])
    arrive('copy.pdf')
    expect(submissions).toMatchObject([{ files: hashAll('a', 'b') }])
  })
})

describe('a draft', () => {
  it('continues no other upload while its own is created', async () => {
    const { upload, creations, transfers } = startUpload()
    upload.choose([fileOf('a.pdf', 'a')])
    await flushPromises()
    void upload.begin({ title: 'new' })
    const other = { id: 'other', number: 2, title: 'other', files: [], transfers: [] }
    expect([upload.resume(other), upload.resume(other, [fileOf('b.pdf', 'b')])]).toEqual([false, false])
    creations[0]!.resolve({ id: 'new', number: 3 })
    await flushPromises()
    expect([...transfers.values()].map(({ uploadId }) => uploadId)).toEqual(['new'])
  })

  it('that is left while it is created gets no file, and its upload is withdrawn', async () => {
    const { upload, creations, transfers, withdrawals } = startUpload()
    upload.choose([fileOf('a.pdf', 'a')])
    await flushPromises()
    void upload.begin({ title: 'left' })
    upload.stop()
    upload.choose([fileOf('b.pdf', 'b')])
    creations[0]!.resolve({ id: 'left', number: 1 })
    await flushPromises()
    expect([upload.getDraft().status, [...transfers]]).toEqual(['choosing', []])
    expect(withdrawals).toMatchObject([{ id: 'left' }])
  })

  it('is not ended by the response to the submission of an earlier one', async () => {
    const { upload, begin, arrive, statuses, submissions, events } = startUpload()
    await begin('first', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    upload.stop()
    await begin('second', fileOf('b.pdf', 'b'))
    submissions[0]!.resolve({ kind: 'submitted' })
    await flushPromises()
    expect(events.onSubmitted.mock.lastCall).toMatchObject([{ uploadId: 'first' }])
    expect([statuses(), upload.getDraft()]).toMatchObject([
      ['b.pdf connecting'],
      { status: 'sending', target: { uploadId: 'second' } },
    ])
    arrive('b.pdf')
    expect(submissions.map(({ id }) => id)).toEqual(['first', 'second'])
  })

  it('takes no file while it is submitted or withdrawn', async () => {
    const { upload, begin, arrive, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    expect([upload.getDraft().status, upload.choose([fileOf('b.pdf', 'b')])]).toEqual(['submitting', false])
    submissions[0]!.resolve({ kind: 'refused', error: 'x', isUnreachable: false, content: null })
    await flushPromises()
    expect(upload.choose([fileOf('b.pdf', 'b')])).toBe(true)
    void upload.withdraw()
    expect(upload.choose([fileOf('c.pdf', 'c')])).toBe(false)
  })
})

describe('a draft that is not handed in', () => {
  it('sends its files and is not submitted when they have arrived', async () => {
    const { upload, prepare, arrive, statuses, submissions, savings } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    expect([statuses(), submissions]).toEqual([['a.pdf sent'], []])
    void upload.handIn({ title: 'Raport' })
    await flushPromises()
    expect([savings, submissions]).toMatchObject([[{ id: '1', title: 'Raport' }], []])
    savings[0]!.resolve({ kind: 'saved' })
    await flushPromises()
    expect(submissions).toMatchObject([{ id: '1', files: hashAll('a') }])
  })

  it('is handed in before its files have arrived, with its details saved at once', async () => {
    const { upload, prepare, arrive, savings, submissions } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'))
    void upload.handIn({ title: 'Raport' })
    await flushPromises()
    savings[0]!.resolve({ kind: 'saved' })
    await flushPromises()
    expect(upload.getDraft()).toMatchObject({ isHandedIn: true, target: { title: 'Raport' } })
    expect(submissions).toEqual([])
    arrive('a.pdf')
    expect(submissions).toMatchObject([{ files: hashAll('a') }])
  })

  it('that is handed in while it is created is created once', async () => {
    const { upload, creations, savings } = startUpload()
    upload.choose([fileOf('a.pdf', 'a')])
    await flushPromises()
    void upload.prepare({ title: 'a' })
    void upload.handIn({ title: 'Raport' })
    await flushPromises()
    expect([creations.length, savings]).toEqual([1, []])
    creations[0]!.resolve({ id: '1', number: 1 })
    await flushPromises()
    expect([creations.length, savings]).toMatchObject([1, [{ id: '1', title: 'Raport' }]])
  })

  it('says why it could not be created, keeps its files and is created again by handing in', async () => {
    const { upload, creations, savings, statuses } = startUpload()
    upload.choose([fileOf('a.pdf', 'a')])
    await flushPromises()
    void upload.prepare({ title: 'a' })
    creations[0]!.reject('no response')
    await flushPromises()
    expect([upload.getDraft(), statuses()]).toEqual([
      { status: 'choosing', failure: 'no response' },
      ['a.pdf ready'],
    ])
    void upload.handIn({ title: 'Raport' })
    creations[1]!.resolve({ id: '2', number: 2 })
    await flushPromises()
    expect([statuses(), savings]).toMatchObject([['a.pdf connecting'], [{ id: '2' }]])
  })

  it('is saved again while the server cannot be reached, and then submitted', async () => {
    const { upload, prepare, arrive, savings, submissions } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    const handedIn = upload.handIn({ title: 'Raport' })
    await flushPromises()
    savings[0]!.resolve({ kind: 'refused', error: 'x', isUnreachable: true })
    await handedIn
    expect(upload.getDraft()).toMatchObject({ status: 'refused', isHandedIn: true, failure: 'x' })
    await vi.advanceTimersByTimeAsync(5000)
    expect([savings.length, submissions]).toEqual([2, []])
    savings[1]!.resolve({ kind: 'saved' })
    await flushPromises()
    expect(submissions).toMatchObject([{ files: hashAll('a') }])
  })

  it('stays with the form if the server does not accept the details', async () => {
    const { upload, prepare, arrive, savings, submissions } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    const handedIn = upload.handIn({ title: '' })
    await flushPromises()
    savings[0]!.resolve({ kind: 'refused', error: 'no title', isUnreachable: false })
    await expect(handedIn).rejects.toBe('no title')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([upload.getDraft(), submissions]).toMatchObject([{ status: 'sending', isHandedIn: false }, []])
  })

  it('is withdrawn when its page is left, and a continued one is kept', async () => {
    const { upload, prepare, withdrawals } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'))
    upload.leave()
    expect(withdrawals).toMatchObject([{ id: '1' }])
    upload.resume({ id: '2', number: 2, title: '2', files: [received('a')], transfers: [] })
    upload.leave()
    expect([withdrawals.length, upload.getDraft().status]).toEqual([1, 'choosing'])
  })

  it('is withdrawn with its last file', async () => {
    const { prepare, remove, deletions, withdrawals } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'))
    await remove('a.pdf')
    deletions[0]!.resolve('deleted')
    await flushPromises()
    expect(withdrawals).toMatchObject([{ id: '1' }])
  })
})

describe('the question about the files', () => {
  it('is asked once all files have arrived, and its answer decides', async () => {
    const { upload, begin, arrive, savings, questions, submissions } = startUpload({ isAsked: true })
    await begin('1', fileOf('a.pdf', 'a'))
    expect(questions).toEqual([])
    arrive('a.pdf')
    expect([questions, submissions]).toMatchObject([[{ uploadId: '1' }], []])
    questions[0]!.resolve({ kind: 'declined' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([upload.getDraft(), submissions]).toMatchObject([{ status: 'sending', isHandedIn: false }, []])
    void upload.handIn({ title: '1' })
    await flushPromises()
    savings[0]!.resolve({ kind: 'saved' })
    await flushPromises()
    questions[1]!.resolve({ kind: 'confirmed', version: 7 })
    await flushPromises()
    expect(submissions).toMatchObject([{ files: hashAll('a'), version: 7 }])
  })

  it('is void once the user is asked whether to withdraw the upload', async () => {
    const { upload, begin, arrive, questions, submissions } = startUpload({ isAsked: true })
    await begin('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    upload.hold()
    questions[0]!.resolve({ kind: 'confirmed', version: 1 })
    await flushPromises()
    expect(submissions).toEqual([])
    upload.unhold()
    expect(questions.length).toBe(2)
  })
})

describe('files that are moved to another patient', () => {
  const other = { id: 'p2', name: 'Mureșan Mihai' }

  it('leave the list, and what was under way continues where it was', async () => {
    const { upload, prepare, arrive, statuses, transfers, moves, readings, events } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'), fileOf('copy.pdf', 'a'), fileOf('b.pdf', 'b'))
    arrive('a.pdf')
    void upload.move(['f1'], other)
    await flushPromises()
    expect(moves).toMatchObject([{ id: '1', fileIds: ['f1'], patientId: 'p2' }])
    expect([upload.choose([fileOf('c.pdf', 'c')]), statuses()]).toEqual([
      false,
      ['a.pdf sent', 'copy.pdf duplicate', 'b.pdf ready'],
    ])
    moves[0]!.resolve(null)
    await flushPromises()
    readings[0]!.resolve({ isHere: true, files: [], transfers: [partial('b')] })
    await flushPromises()
    expect(statuses()).toEqual(['b.pdf connecting'])
    expect(transfers.get('b.pdf')).toMatchObject({ uploadId: '1', transferId: 'b' })
    expect(events.onMoved).toHaveBeenCalledWith(other, 2)
  })

  it('take the whole upload with them: what is left is not sent there', async () => {
    const { upload, prepare, arrive, transfers, moves, readings, statuses, withdrawals } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'), fileOf('b.pdf', 'b'))
    arrive('a.pdf')
    transfers.clear()
    void upload.move(['f1'], other)
    await flushPromises()
    moves[0]!.resolve(null)
    await flushPromises()
    readings[0]!.resolve({ isHere: false, files: [received('a')], transfers: [] })
    await flushPromises()
    expect([upload.getDraft().status, statuses(), [...transfers], withdrawals]).toEqual([
      'choosing',
      ['b.pdf ready'],
      [],
      [],
    ])
  })

  it('are not moved before the server has decided about what it may still receive', async () => {
    const { upload, prepare, arrive, moves, readings, statuses, events, holdResponses } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'), fileOf('b.pdf', 'b'))
    arrive('a.pdf')
    const responses = holdResponses()
    void upload.move(['f1'], other)
    await flushPromises()
    expect(moves).toEqual([])
    arrive('b.pdf')
    responses.resolve('something')
    await flushPromises()
    expect(statuses()).toEqual(['a.pdf sent', 'b.pdf sent'])
    expect(moves).toMatchObject([{ id: '1', fileIds: ['f1'] }])
    moves[0]!.resolve(null)
    await flushPromises()
    readings[0]!.resolve({ isHere: true, files: [received('b')], transfers: [] })
    await flushPromises()
    expect(events.onMoved).toHaveBeenCalledWith(other, 1)
  })

  it('are not moved while a file may still arrive in their upload', async () => {
    const { upload, prepare, arrive, moves, readings, statuses, events, holdResponses } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'), fileOf('b.pdf', 'b'))
    arrive('a.pdf')
    holdResponses().resolve('unknown')
    void upload.move(['f1'], other)
    await flushPromises()
    readings[0]!.resolve({ isHere: true, files: [received('a')], transfers: [] })
    await flushPromises()
    expect([moves, statuses()]).toEqual([[], ['a.pdf sent', 'b.pdf connecting']])
    expect(events.onMoveFailed).toHaveBeenCalledOnce()
  })

  it('are looked for on the server until it responds, whatever became of the request', async () => {
    const { upload, prepare, arrive, moves, readings, statuses, events } = startUpload()
    await prepare('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    void upload.move(['f1'], other)
    await flushPromises()
    moves[0]!.reject('no response')
    await flushPromises()
    readings[0]!.reject('no response')
    await vi.advanceTimersByTimeAsync(2000)
    readings[1]!.resolve({ isHere: true, files: [received('a')], transfers: [] })
    await flushPromises()
    expect(statuses()).toEqual(['a.pdf sent'])
    expect(events.onMoveFailed).toHaveBeenCalledWith('no response')
  })
})

describe('the submission', () => {
  it('is repeated while the server cannot be reached, and not after the draft has ended', async () => {
    const { upload, begin, arrive, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    submissions[0]!.resolve(UNREACHABLE)
    await vi.advanceTimersByTimeAsync(5000)
    expect(submissions.length).toBe(2)
    submissions[1]!.resolve(UNREACHABLE)
    await flushPromises()
    upload.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(submissions.length).toBe(2)
  })

  it('waits for the user after the server named files that were not shown, and then includes them', async () => {
    const { upload, begin, arrive, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    const files = [received('a'), received('b')]
    submissions[0]!.resolve({
      kind: 'refused',
      error: 'x',
      isUnreachable: false,
      content: { files, transfers: [] },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([submissions.length, upload.getDraft()]).toMatchObject([
      1,
      { status: 'refused', earlier: { files } },
    ])
    void upload.submit()
    expect(submissions[1]).toMatchObject({ files: hashAll('a', 'b') })
  })

  it('names the transfer of a file that changed and was removed, and can be sent without it', async () => {
    const { upload, begin, arrive, find, transfers, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'), fileOf('b.pdf', 'b'))
    arrive('a.pdf')
    transfers.get('b.pdf')!.onFailed({ reason: 'x', status: 460 })
    upload.engine.retry(find('b.pdf')!.id)
    await upload.remove(find('b.pdf')!.id)
    await flushPromises()
    const content = { files: [received('a')], transfers: [partial('b')] }
    submissions[0]!.resolve({ kind: 'refused', error: 'x', isUnreachable: false, content })
    await flushPromises()
    const draft = upload.getDraft()
    expect(isOpen(draft) && findMissingFiles(draft, upload.engine.getFiles())).toEqual([partial('b')])
    void upload.submit()
    expect(submissions[1]).toMatchObject({
      files: hashAll('a'),
      discarded: expect.arrayContaining(hashAll('b')),
    })
  })

  it('waits while the user is asked whether to withdraw the upload', async () => {
    const { upload, begin, arrive, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'))
    upload.hold()
    arrive('a.pdf')
    expect(submissions).toEqual([])
    upload.unhold()
    expect(submissions).toMatchObject([{ files: hashAll('a') }])
  })

  it('does not follow the decision to withdraw the upload', async () => {
    const { upload, begin, arrive, submissions, withdrawals } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'))
    upload.hold()
    void upload.withdraw()
    upload.unhold()
    arrive('a.pdf')
    withdrawals[0]!.resolve()
    await flushPromises()
    expect([submissions, upload.getDraft().status]).toEqual([[], 'choosing'])
    expect(withdrawals).toMatchObject([{ id: '1' }])
  })

  it('is not repeated while the user is asked whether to withdraw the upload', async () => {
    const { upload, begin, arrive, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    submissions[0]!.resolve(UNREACHABLE)
    await flushPromises()
    upload.hold()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(submissions.length).toBe(1)
    upload.unhold()
    expect(upload.getDraft()).toMatchObject({ status: 'refused', failure: 'x' })
    await vi.advanceTimersByTimeAsync(5000)
    expect(submissions.length).toBe(2)
  })

  it('is not repeated after the decision to withdraw the upload, even if the withdrawal fails', async () => {
    const { upload, begin, arrive, submissions, withdrawals, events } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    submissions[0]!.resolve(UNREACHABLE)
    await flushPromises()
    upload.hold()
    void upload.withdraw()
    upload.unhold()
    withdrawals[0]!.reject('y')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([submissions.length, upload.getDraft()]).toMatchObject([1, { status: 'refused', failure: 'y' }])
    expect(events.onWithdrawFailed).toHaveBeenCalledOnce()
  })

  it('that is under way cannot be withdrawn, and the user learns it', async () => {
    const { upload, begin, arrive, withdrawals, events } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'))
    arrive('a.pdf')
    await upload.withdraw()
    expect([withdrawals, upload.getDraft().status]).toEqual([[], 'submitting'])
    expect(events.onWithdrawTooLate).toHaveBeenCalledOnce()
  })

  it('does not leave out a file of the list that failed', async () => {
    const { upload, begin, arrive, transfers, submissions } = startUpload()
    await begin('1', fileOf('a.pdf', 'a'), fileOf('b.pdf', 'b'))
    arrive('a.pdf')
    transfers.get('b.pdf')!.onFailed({ reason: 'x', status: 507 })
    await upload.submit()
    expect(submissions).toEqual([])
  })
})

describe('a continued upload', () => {
  it('lists what is missing until it is chosen, and files what had arrived', async () => {
    const { upload, find, arrive, savings, submissions } = startUpload()
    upload.choose([fileOf('b.pdf', 'b')])
    await flushPromises()
    const earlier = { files: [received('a')], transfers: [partial('b'), partial('c')] }
    upload.resume({ id: '1', number: 1, title: '1', ...earlier })
    arrive('b.pdf')
    const missing = () => {
      const draft = upload.getDraft()
      return isOpen(draft) && findMissingFiles(draft, upload.engine.getFiles()).map(({ name }) => name)
    }
    expect([missing(), submissions]).toEqual([['c.pdf'], []])
    upload.choose([fileOf('renamed.pdf', 'c')])
    await flushPromises()
    expect([missing(), find('renamed.pdf')?.status]).toEqual([[], 'connecting'])
    void upload.handIn({ title: '1' })
    await flushPromises()
    savings[0]!.resolve({ kind: 'saved' })
    arrive('renamed.pdf')
    await flushPromises()
    expect(submissions).toMatchObject([{ files: hashAll('b', 'c', 'a') }])
  })
})

it('calculates the fingerprint again after the server received other bytes', async () => {
  const { upload, begin, find, transfers } = startUpload()
  await begin('1', fileOf('a.pdf', 'a'), fileOf('copy.pdf', 'a'))
  transfers.get('a.pdf')!.onFailed({ reason: 'x', status: 460 })
  upload.engine.retry(find('a.pdf')!.id)
  expect([find('a.pdf')?.status, find('copy.pdf')?.status]).toEqual(['hashing', 'connecting'])
})
