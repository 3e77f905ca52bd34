import { canChange, canSubmit, type Draft, isComplete, type OpenDraft, type UploadTarget } from './draft.ts'
import { hasFingerprint } from './new-upload-file.ts'
import type { Store } from './store.ts'
import type { ReceivedContent } from './transfers/resume-plan.ts'
import type { UploadEngine } from './upload-engine.ts'

/** Between two attempts to submit while the server cannot be reached. */
const SUBMIT_RETRY_DELAY_MS = 5000

/** `files`: exactly these are submitted. `discarded`: partial transfers of this content are deleted. */
export type Submission = { files: readonly string[]; discarded: readonly string[] }

/** `refused` with `content`: what the server has. `isUnreachable`: the server has not responded. */
export type SubmissionResult =
  | { kind: 'submitted' }
  | { kind: 'refused'; error: unknown; isUnreachable: boolean; content: ReceivedContent | null }

/** What the new upload asks of the server. */
export type UploadServer<Input> = {
  createUpload: (input: Input) => Promise<{ id: string; number: number }>
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

/** Submits the draft as soon as all its files have arrived, or when the user wants it. */
export function createSubmission<Input>(context: DraftContext<Input>) {
  const { engine, draft, server, events, getEnd, stop } = context

  /** Submits exactly the files that the user sees; without the missing ones, whose partial transfers go. */
  const submit = async () => {
    const current = draft.get()
    if (!canChange(current) || !canSubmit(engine.getFiles())) return
    const signal = getEnd()
    const { target, earlier } = current
    const content = describeContent(current, engine.getFiles())
    draft.set({ ...current, status: 'submitting', failure: null })
    const result = await server.submitUpload(target.uploadId, content)
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

  let timer: ReturnType<typeof setTimeout> | undefined
  /** Each change of the draft ends the wait: nothing is submitted that the user has decided about since. */
  const scheduleRepetition = () => {
    clearTimeout(timer)
    const current = draft.get()
    if (current.status === 'refused' && current.isRepeated)
      timer = setTimeout(() => void submit(), SUBMIT_RETRY_DELAY_MS)
  }
  draft.subscribe(scheduleRepetition)

  const submitComplete = () => {
    const current = draft.get()
    if (current.status === 'sending' && isComplete(current, engine.getFiles())) void submit()
  }
  engine.subscribe(submitComplete)

  return {
    submit,

    /** Does not submit the upload until `unhold`. */
    hold: () => {
      const current = draft.get()
      if (current.status === 'sending' || current.status === 'refused')
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
