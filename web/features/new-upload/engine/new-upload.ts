import { canChange, type Draft, isOnlyChosen, isOpen, type UploadTarget } from './draft.ts'
import type { FileHasher } from './file-hasher.ts'
import type { HashReport } from './hash-file.worker.ts'
import { createMoving } from './moving.ts'
import { hasFingerprint } from './new-upload-file.ts'
import { createStore } from './store.ts'
import { createSubmission, type DraftContext, type UploadEvents, type UploadServer } from './submission.ts'
import type { FileRequests } from './transfers/file-sender.ts'
import { NOTHING_RECEIVED, type ReceivedContent } from './transfers/resume-plan.ts'
import { createUploadEngine } from './upload-engine.ts'

/** An upload that was created earlier, with what the server has of it. */
export type UnfinishedContent = ReceivedContent & { id: string; number: number; title: string }

/**
 * One upload at a time: files are chosen, an upload is created or continued and receives them, and it is submitted
 * once the user has handed it in and all its files have arrived. A response that belongs to an earlier draft changes
 * nothing in the present one.
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
  const { saveDetails, ...submission } = createSubmission(context)
  const creation = createCreation(context)
  return {
    engine,
    getDraft: draft.get,
    subscribe: draft.subscribe,
    stop,
    ...submission,
    ...createActions(context),
    ...createMoving(context),
    ...creation,

    /**
     * Saves what the form says, creating the upload first if it does not exist, and submits the upload once it is
     * complete. Rejects if the server does not accept the details; the draft says why an upload could not be created.
     */
    handIn: async (input: Input) => {
      const signal = draftEnd.signal
      await creation.prepare(input)
      if (!signal.aborted) await saveDetails(input)
    },
  }
}

/** How the chosen files get an upload. */
function createCreation<Input extends { title: string }>(context: DraftContext<Input>) {
  const { engine, draft, server, getEnd } = context
  let pending: Promise<void> | null = null

  const open = (
    target: UploadTarget,
    earlier: ReceivedContent,
    kind: { isHandedIn: boolean; isContinued: boolean },
  ) => {
    draft.set({ status: 'sending', target, ...kind, earlier, removed: [], failure: null, isRepeated: false })
    engine.begin({ uploadId: target.uploadId, arrived: earlier })
  }

  /** Rejects with the server's error; an upload that is created after the draft has ended is withdrawn. */
  const create = async (input: Input, isHandedIn: boolean) => {
    const signal = getEnd()
    draft.set({ status: 'creating' })
    try {
      const { id, number } = await server.createUpload(input)
      const target = { uploadId: id, number, title: input.title }
      if (!signal.aborted) return open(target, NOTHING_RECEIVED, { isHandedIn, isContinued: false })
      await server.withdrawUpload(id)
    } catch (error) {
      if (signal.aborted) return
      draft.set({ status: 'choosing', failure: error })
      throw error
    }
  }

  return {
    /** Creates the upload that the form describes and hands it in; rejects if the server does not create it. */
    begin: async (input: Input) => {
      if (draft.get().status === 'choosing') await create(input, true)
    },

    /** Creates the upload of the chosen files, which is not handed in; its failure is in the draft. */
    prepare: async (input: Input) => {
      if (draft.get().status === 'choosing') pending = create(input, false).catch(() => undefined)
      if (draft.get().status === 'creating') await pending
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
      open({ uploadId: id, number, title }, { files, transfers }, { isHandedIn: false, isContinued: true })
      return true
    },
  }
}

/** What the user does with the draft, except to begin and to submit it. */
function createActions<Input extends { title: string }>(context: DraftContext<Input>) {
  const { engine, draft, server, events, getEnd, stop } = context

  /** Ends the draft; withdraws an upload that exists only for the form. */
  const leave = () => {
    const current = draft.get()
    // While files are moved, the upload may already be of another patient.
    if (isOpen(current) && isOnlyChosen(current) && current.status !== 'moving')
      void server.withdrawUpload(current.target.uploadId).catch(() => undefined)
    stop()
  }

  return {
    leave,

    /** Adds files; returns false if the upload takes no more. */
    choose: (files: readonly File[]): boolean => {
      const current = draft.get()
      if (isOpen(current) && !canChange(current)) return false
      engine.add(files)
      return true
    },

    /** Leaves a file out, so that the upload is complete without it. */
    remove: async (id: string) => {
      const current = draft.get()
      const file = engine.getFiles().find((each) => each.id === id)
      if (!file || (isOpen(current) && !canChange(current))) return
      if (isOpen(current) && hasFingerprint(file))
        draft.set({ ...current, removed: [...current.removed, file] })
      const signal = getEnd()
      await engine.remove(id)
      if (!signal.aborted && isOnlyChosen(draft.get()) && engine.getFiles().length === 0) leave()
    },

    /** Leaves a file out that had arrived before the upload was continued. */
    removeReceived: async (sha256: string) => {
      if (!canChange(draft.get())) return
      const signal = getEnd()
      try {
        const isRemoved = await engine.discardReceived(sha256)
        const current = draft.get()
        if (!isRemoved || signal.aborted || !isOpen(current)) return
        const files = current.earlier.files.filter((file) => file.sha256 !== sha256)
        draft.set({ ...current, earlier: { ...current.earlier, files } })
      } catch (error) {
        events.onRemoveFailed(error)
      }
    },

    withdraw: async () => {
      const current = draft.get()
      if (current.status === 'submitting') return events.onWithdrawTooLate()
      if (!isOpen(current) || current.status === 'withdrawing' || current.status === 'moving') return
      const signal = getEnd()
      draft.set({ ...current, status: 'withdrawing' })
      try {
        await server.withdrawUpload(current.target.uploadId)
      } catch (error) {
        // The user decides again: no automatic submission.
        const refused = { ...current, status: 'refused', failure: error, isRepeated: false } as const
        if (!signal.aborted) draft.set(current.isHandedIn ? refused : current)
        return events.onWithdrawFailed(error)
      }
      if (!signal.aborted) stop()
      events.onWithdrawn(current.target)
    },
  }
}
