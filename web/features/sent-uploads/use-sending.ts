import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { confirmFiles } from '../new-upload/checks/concerns.ts'
import { useSubmissionQuestion } from '../new-upload/checks/use-submission-question.tsx'
import { canChange, findLoss, findMissingFiles, isOpen } from '../new-upload/engine/draft.ts'
import { createNewUpload } from '../new-upload/engine/new-upload.ts'
import { hasFingerprint } from '../new-upload/engine/new-upload-file.ts'
import type { SavingResult, UploadEvents } from '../new-upload/engine/submission.ts'
import { FILE_REQUESTS } from '../new-upload/engine/transfers/file-sender.ts'
import {
  createSentUpload,
  discardSentFile,
  readSentConcerns,
  type SentInput,
  saveSentDetails,
  submitSentUpload,
  withdrawSentUpload,
} from './send-server.ts'
import { useSentChecks } from './use-sent-checks.ts'

export type Sending = ReturnType<typeof useSending>

/** What the page sends in the name of an institution. `onChanged` is called after it was submitted or withdrawn. */
export function useSending(institutionId: string, onChanged: () => void) {
  const latest = useRef({ institutionId, onChanged })
  latest.current = { institutionId, onChanged }
  const question = useSubmissionQuestion('Trimiteți totuși?')
  const saving = useRef<Promise<unknown>>(Promise.resolve())
  /** One save after the other: an older one that is slow never replaces a later one, as that of handing in. */
  const saveDetails = (uploadId: string, input: SentInput): Promise<SavingResult> => {
    const saved = saving.current.then(() => saveSentDetails(uploadId, input))
    saving.current = saved
    return saved
  }
  const [upload] = useState(() =>
    createNewUpload<SentInput>(
      {
        confirm: ({ uploadId }) => confirmFiles(() => readSentConcerns(uploadId), question.ask),
        createUpload: (input) => createSentUpload(latest.current.institutionId, input),
        saveDetails,
        submitUpload: submitSentUpload,
        withdrawUpload: withdrawSentUpload,
      },
      showEvents(() => latest.current.onChanged()),
      { ...FILE_REQUESTS, discardFile: discardSentFile },
    ),
  )
  const files = useSyncExternalStore(upload.engine.subscribe, upload.engine.getFiles)
  const draft = useSyncExternalStore(upload.subscribe, upload.getDraft)
  /** What the form says now. */
  const details = useRef<SentInput | null>(null)
  const isLeft = useRef(false)
  useEffect(() => () => (isLeft.current ? upload.leave() : upload.stop()), [upload])
  const open = isOpen(draft) ? draft : null
  const arrived = [
    ...files.filter(({ status }) => status === 'sent').filter(hasFingerprint),
    ...(open?.earlier.files ?? []),
  ].map(({ sha256 }) => sha256)
  const loss = findLoss(draft, files)
  /** Saves what the form says of an earlier draft, which stays when the user leaves it. Returns why it could not; null: it could. */
  const keepDetails = async (): Promise<unknown> => {
    if (!open?.isContinued || open.isHandedIn || !canChange(open) || !details.current) return null
    const { uploadId, title } = open.target
    const input = { ...details.current, title: details.current.title || title }
    const result = await saveDetails(uploadId, input)
    return result.kind === 'saved' ? null : result.error
  }
  return {
    institutionId,
    upload,
    files,
    draft,
    question,
    details,
    saveDetails,
    keepDetails,
    /** The draft once it exists on the server; null before. */
    open,
    /** The files that the server has only a part of. */
    missing: open ? findMissingFiles(open, files) : [],
    checks: useSentChecks(open?.target.uploadId ?? null, arrived),
    /** What leaving the page would lose. */
    loss: loss && (loss === 'chosen' ? ('sent-chosen' as const) : ('sent-sending' as const)),
    /** The user leaves the page for good: an upload that is only for the form is withdrawn. */
    onLeave: () => {
      isLeft.current = true
      void keepDetails().then((error) => {
        if (error === null) return
        const title = 'Ce ați scris despre fișiere nu s-a păstrat'
        showToast({ tone: 'error', title, description: errorMessage(error) })
      })
    },
  }
}

/** Shows the outcome in a toast. */
function showEvents(onChanged: () => void): UploadEvents {
  const fail = (title: string) => (error: unknown) =>
    showToast({ tone: 'error', title, description: errorMessage(error) })
  return {
    onSubmitted: ({ title }) => {
      showToast({ tone: 'success', title: 'Trimis centrului', description: title })
      onChanged()
    },
    onWithdrawn: () => {
      showToast({ tone: 'info', title: 'Trimiterea a fost anulată' })
      onChanged()
    },
    onWithdrawFailed: fail('Trimiterea nu a fost anulată'),
    onWithdrawTooLate: () => showToast({ tone: 'error', title: 'Fișierele se trimit deja' }),
    onRemoveFailed: fail('Fișierul nu a fost scos'),
    // Files of a sending stay with it.
    onMoved: () => undefined,
    onMoveFailed: () => undefined,
    onSubmitFailed: ({ title }, error) => {
      fail(`Nu s-a trimis: ${title}`)(error)
      onChanged()
    },
  }
}
