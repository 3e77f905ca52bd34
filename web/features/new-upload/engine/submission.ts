import {
  canChange,
  canSubmit,
  type Draft,
  isComplete,
  isOpen,
  type OpenDraft,
  type OtherPatient,
  type UploadTarget,
} from './draft.ts'
import { hasFingerprint } from './new-upload-file.ts'
import type { Store } from './store.ts'
import type { ReceivedContent } from './transfers/resume-plan.ts'
import type { UploadEngine } from './upload-engine.ts'

/** Between two attempts to submit while the server cannot be reached. */
const SUBMIT_RETRY_DELAY_MS = 5000

/**
 * `files`: exactly these are submitted. `discarded`: partial transfers of this content are deleted. `version`: the one that
 * the user has confirmed.
 */
export type Submission = { files: readonly string[]; discarded: readonly string[]; version?: number }

/** `refused` with `content`: what the server has. `isUnreachable`: the server has not responded. */
export type SubmissionResult =
  | { kind: 'submitted' }
  | { kind: 'refused'; error: unknown; isUnreachable: boolean; content: ReceivedContent | null }

/** `confirmed`: the upload may be submitted in this version. */
export type Confirmation =
  | { kind: 'confirmed'; version: number }
  | { kind: 'declined' }
  | { kind: 'refused'; error: unknown; isUnreachable: boolean }

export type SavingResult = { kind: 'saved' } | { kind: 'refused'; error: unknown; isUnreachable: boolean }

/** What the new upload asks of the server. */
export type UploadServer<Input> = {
  createUpload: (input: Input) => Promise<{ id: string; number: number }>
  /** Saves what the form says about an upload that was created before; undefined: there is nothing to save. */
  saveDetails?: (id: string, input: Input) => Promise<SavingResult>
  /** Asks the user about what the files say, if there is something to ask; undefined: nothing is asked. */
  confirm?: (target: UploadTarget) => Promise<Confirmation>
  /** Gives arrived files to another patient; undefined: they stay. */
  moveFiles?: (id: string, fileIds: readonly string[], patientId: string) => Promise<unknown>
  /** `isHere`: the upload is still of the page's patient. */
  readContent?: (id: string) => Promise<ReceivedContent & { isHere: boolean }>
  submitUpload: (id: string, submission: Submission) => Promise<SubmissionResult>
  withdrawUpload: (id: string) => Promise<unknown>
}

/** Called for each upload, also for one that this page has left in the meantime. */
export type UploadEvents = {
  onSubmitted: (target: UploadTarget) => void
  onWithdrawn: (target: UploadTarget) => void
  onWithdrawFailed: (error: unknown) => void
  /** The upload is being submitted when the user withdraws it. */
  onWithdrawTooLate: () => void
  /** A file that had arrived earlier could not be left out. */
  onRemoveFailed: (error: unknown) => void
  onMoved: (patient: OtherPatient, count: number) => void
  onMoveFailed: (error: unknown) => void
  /** Not called for a failure that the draft shows. */
  onSubmitFailed: (target: UploadTarget, error: unknown) => void
}

/** The new upload on the page, which ends and begins anew several times. */
export type DraftContext<Input> = {
  engine: UploadEngine
  draft: Store<Draft>
  server: UploadServer<Input>
  events: UploadEvents
  /** Returns the signal that aborts when the present draft ends. */
  getEnd: () => AbortSignal
  /** Ends the present draft. */
  stop: () => void
}

/** Submits the draft once it is handed in and all its files have arrived, or when the user wants it. */
export function createSubmission<Input extends { title: string }>(context: DraftContext<Input>) {
  const { engine, draft, server, events, getEnd, stop } = context
  /** What was handed in and is not saved, of the draft with this signal. */
  let unsaved: { input: Input; signal: AbortSignal } | null = null
  let saving: AbortSignal | null = null
  const hasUnsaved = () => unsaved?.signal === getEnd()

  /**
   * Saves what was handed in; again later if the server does not respond. Rejects if the server does not accept it: the
   * upload is then not handed in.
   */
  const save = async ({ input, signal }: NonNullable<typeof unsaved>) => {
    const { target } = draft.get() as OpenDraft
    saving = signal
    const result = (await server.saveDetails?.(target.uploadId, input)) ?? { kind: 'saved' }
    if (saving === signal) saving = null
    const current = draft.get()
    if (signal.aborted || !canChange(current)) return
    const isHeld = current.status === 'held'
    if (result.kind === 'refused' && result.isUnreachable) {
      const status = isHeld ? 'held' : 'refused'
      return draft.set({ ...current, status, isHandedIn: true, failure: result.error, isRepeated: true })
    }
    unsaved = null
    const isHandedIn = result.kind === 'saved'
    draft.set({
      ...current,
      status: isHeld ? 'held' : 'sending',
      isHandedIn,
      failure: null,
      target: { ...target, title: isHandedIn ? input.title : target.title },
    })
    if (result.kind === 'refused') throw result.error
    submitComplete()
  }

  /** Returns the version that the user has confirmed; null if the upload is not submitted now. */
  const confirm = async (current: OpenDraft, ask: NonNullable<typeof server.confirm>) => {
    const asking = { ...current, status: 'asking', failure: null } as const
    draft.set(asking)
    const answer = await ask(current.target)
    // The user has decided about the upload since.
    if (draft.get() !== asking) return null
    if (answer.kind === 'confirmed') return answer.version
    if (answer.kind === 'declined') draft.set({ ...asking, status: 'sending', isHandedIn: false })
    else {
      const { error: failure, isUnreachable: isRepeated } = answer
      draft.set({ ...asking, status: 'refused', failure, isRepeated })
    }
    return null
  }

  /** Submits exactly the files that the user sees; without the missing ones, whose partial transfers go. */
  const submit = async () => {
    const current = draft.get()
    if (!canChange(current) || !canSubmit(current, engine.getFiles())) return
    const signal = getEnd()
    const version = server.confirm && (await confirm(current, server.confirm))
    if (version === null) return
    const { target, earlier } = current
    const content = describeContent(current, engine.getFiles())
    draft.set({ ...current, status: 'submitting', failure: null })
    const submission = version === undefined ? content : { ...content, version }
    const result = await server.submitUpload(target.uploadId, submission)
    if (result.kind === 'submitted') {
      if (!signal.aborted) stop()
      return events.onSubmitted(target)
    }
    if (signal.aborted) return events.onSubmitFailed(target, result.error)
    draft.set({
      ...current,
      status: 'refused',
      failure: result.error,
      isRepeated: result.isUnreachable,
      earlier: result.content ?? earlier,
    })
  }

  /** Submits the upload, or first saves what could not be saved. */
  const repeat = async () => {
    if (!unsaved || !hasUnsaved()) return submit()
    if (saving === getEnd()) return
    await save(unsaved).catch((failure: unknown) => {
      const current = draft.get()
      if (isOpen(current)) draft.set({ ...current, status: 'refused', failure, isRepeated: false })
    })
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  /** Each change of the draft ends the wait: nothing is submitted that the user has decided about since. */
  const scheduleRepetition = () => {
    clearTimeout(timer)
    const current = draft.get()
    if (current.status === 'refused' && current.isRepeated)
      timer = setTimeout(() => void repeat(), SUBMIT_RETRY_DELAY_MS)
  }
  draft.subscribe(scheduleRepetition)

  const submitComplete = () => {
    const current = draft.get()
    if (current.status !== 'sending' || !current.isHandedIn) return
    if (isComplete(current, engine.getFiles())) void submit()
  }
  engine.subscribe(submitComplete)

  return {
    submit: repeat,

    /** Hands the upload in with these details. */
    saveDetails: async (input: Input) => {
      if (!canChange(draft.get()) || saving === getEnd()) return
      unsaved = { input, signal: getEnd() }
      await save(unsaved)
    },

    /** Does not submit the upload until `unhold`. */
    hold: () => {
      const current = draft.get()
      if (isOpen(current) && (current.status === 'asking' || canChange(current)))
        draft.set({ ...current, status: 'held' })
    },
    unhold: () => {
      const current = draft.get()
      if (current.status !== 'held') return
      draft.set({ ...current, status: current.failure === null ? 'sending' : 'refused' })
      submitComplete()
    },
  }
}

function describeContent({ earlier, removed }: OpenDraft, listed: ReturnType<UploadEngine['getFiles']>) {
  const shown = [...listed.filter(hasFingerprint), ...earlier.files]
  return {
    files: [...new Set(shown.map(({ sha256 }) => sha256))],
    discarded: [...shown, ...removed, ...earlier.transfers].map(({ sha256 }) => sha256),
  }
}
