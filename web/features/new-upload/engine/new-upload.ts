import { canChange, type Draft, isOpen, type UploadTarget } from './draft.ts'
import type { FileHasher, HashReport } from './file-hasher.ts'
import { hasFingerprint } from './new-upload-file.ts'
import { createStore } from './store.ts'
import { createSubmission, type DraftContext, type UploadEvents, type UploadServer } from './submission.ts'
import type { FileRequests } from './transfers/file-sender.ts'
import { NOTHING_RECEIVED, type ReceivedContent } from './transfers/resume-plan.ts'
import { createUploadEngine } from './upload-engine.ts'

/** An upload that was created earlier, with what the server has of it. */
export type UnfinishedContent = ReceivedContent & { id: string; number: number; title: string }

/**
 * One upload at a time: files are chosen, an upload is created or continued, and it is submitted once all its
 * files have arrived. A response that belongs to an earlier draft changes nothing in the present one.
 */
export function createNewUpload<Input extends { title: string }>(
  server: UploadServer<Input>,
  events: UploadEvents,
  requests?: FileRequests,
  createHasher?: (onReport: (report: HashReport) => void) => FileHasher,
) {
  const engine = createUploadEngine(requests, createHasher)
  const draft = createStore<Draft>({ status: 'choosing' })
  /** Aborts when the present draft ends. */
  let draftEnd = new AbortController()

  const stop = () => {
    draftEnd.abort()
    draftEnd = new AbortController()
    engine.stop()
    draft.set({ status: 'choosing' })
  }

  const context = { engine, draft, server, events, getEnd: () => draftEnd.signal, stop }
  return {
    engine,
    getDraft: draft.get,
    subscribe: draft.subscribe,
    stop,
    ...createSubmission(context),
    ...createActions(context),
  }
}

/** What the user does with the draft, except to submit it. */
function createActions<Input extends { title: string }>(context: DraftContext<Input>) {
  const { engine, draft, server, events, getEnd, stop } = context

  const open = (target: UploadTarget, earlier: ReceivedContent) => {
    draft.set({ status: 'sending', target, earlier, removed: [], failure: null, isRepeated: false })
    engine.begin({ uploadId: target.uploadId, arrived: earlier })
  }

  return {
    /** Creates the upload that the form describes; rejects if the server does not. */
    begin: async (input: Input) => {
      if (draft.get().status !== 'choosing') return
      const signal = getEnd()
      draft.set({ status: 'creating' })
      try {
        const { id, number } = await server.createUpload(input)
        if (!signal.aborted) return open({ uploadId: id, number, title: input.title }, NOTHING_RECEIVED)
        await server.withdrawUpload(id)
      } catch (error) {
        if (signal.aborted) return
        draft.set({ status: 'choosing' })
        throw error
      }
    },

    /** Adds files; returns false if the upload takes no more. */
    choose: (files: readonly File[]): boolean => {
      const current = draft.get()
      if (isOpen(current) && !canChange(current)) return false
      engine.add(files)
      return true
    },

    /**
     * Continues an unfinished upload with the files that are already chosen and `more`. Returns false if
     * another upload is under way.
     */
    resume: (
      { id, number, title, files, transfers }: UnfinishedContent,
      more: readonly File[] = [],
    ): boolean => {
      if (draft.get().status !== 'choosing' || (more.length > 0 && engine.getFiles().length > 0)) return false
      if (more.length > 0) engine.add(more)
      open({ uploadId: id, number, title }, { files, transfers })
      return true
    },

    /** Leaves a file out, so that the upload is complete without it. */
    remove: async (id: string) => {
      const current = draft.get()
      const file = engine.getFiles().find((each) => each.id === id)
      if (!file || current.status === 'creating' || (isOpen(current) && !canChange(current))) return
      if (isOpen(current) && hasFingerprint(file))
        draft.set({ ...current, removed: [...current.removed, file] })
      await engine.remove(id)
    },

    withdraw: async () => {
      const current = draft.get()
      if (current.status === 'submitting') return events.onWithdrawTooLate()
      if (!canChange(current)) return
      const signal = getEnd()
      draft.set({ ...current, status: 'withdrawing' })
      try {
        await server.withdrawUpload(current.target.uploadId)
      } catch (error) {
        // The user decides again: no automatic submission.
        if (!signal.aborted) draft.set({ ...current, status: 'refused', failure: error, isRepeated: false })
        return events.onWithdrawFailed(error)
      }
      if (!signal.aborted) stop()
      events.onWithdrawn(current.target)
    },
  }
}
