import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { findLoss, findMissingFiles, isOpen } from './engine/draft.ts'
import { createNewUpload } from './engine/new-upload.ts'
import type { UploadEvents, UploadServer } from './engine/submission.ts'
import { createUpload, saveDetails, submitUpload, type UploadInput, withdrawUpload } from './upload-server.ts'

export type NewUploadState = ReturnType<typeof useNewUpload>

/** An upload that receives files, however it was begun. */
export type OpenUploadState = Omit<NewUploadState, 'upload'> & {
  upload: Omit<NewUploadState['upload'], 'begin' | 'prepare' | 'handIn'>
}

/**
 * The new upload on a patient's page. `onChanged` is called after an upload was submitted or withdrawn. The
 * component must be mounted anew for another patient.
 */
export const useNewUpload = (patientId: string, onChanged: () => void) =>
  useUploadDraft({
    createUpload: (input: UploadInput) => createUpload({ ...input, patientId }),
    saveDetails: (id, input) => saveDetails(id, { ...input, patientId }),
    submitUpload,
    onChanged,
  })

/**
 * An upload whose files the page sends: `createUpload` begins it, `submitUpload` submits it. `onChanged` is called after it
 * was submitted or withdrawn.
 */
export function useUploadDraft<Input extends { title: string }>({
  onChanged,
  ...server
}: Omit<UploadServer<Input>, 'withdrawUpload'> & { onChanged: () => void }) {
  const changed = useRef(onChanged)
  changed.current = onChanged
  const [events] = useState(() => showEvents(() => changed.current()))
  const [upload] = useState(() => createNewUpload({ ...server, withdrawUpload }, events))
  const files = useSyncExternalStore(upload.engine.subscribe, upload.engine.getFiles)
  const draft = useSyncExternalStore(upload.subscribe, upload.getDraft)
  const isLeft = useRef(false)
  useEffect(() => () => (isLeft.current ? upload.leave() : upload.stop()), [upload])
  const open = isOpen(draft) ? draft : null
  return {
    upload,
    engine: upload.engine,
    files,
    draft,
    /** The draft once its upload exists; null before. */
    open,
    missing: open ? findMissingFiles(open, files) : [],
    /** What leaving the page would lose. */
    loss: findLoss(draft, files),
    /** The user leaves the page for good: an upload that is only for the form is withdrawn. */
    onLeave: () => {
      isLeft.current = true
    },
    events,
  }
}

/** Shows the outcome of an upload in a toast. */
const showEvents = (onChanged: () => void): UploadEvents => ({
  onSubmitted: ({ title }) => {
    showToast({ tone: 'success', title: 'Trimis la verificare', description: title })
    onChanged()
  },
  onWithdrawn: () => {
    showToast({ tone: 'info', title: 'Încărcarea a fost anulată' })
    onChanged()
  },
  onWithdrawFailed: (error) =>
    showToast({ tone: 'error', title: 'Nu am putut anula încărcarea', description: errorMessage(error) }),
  onWithdrawTooLate: () =>
    showToast({
      tone: 'error',
      title: 'Nu am putut anula încărcarea',
      description: 'Se trimite deja la verificare.',
    }),
  onSubmitFailed: ({ title }, error) => {
    const description = errorMessage(error)
    showToast({ tone: 'error', title: `Nu s-a trimis la verificare: ${title}`, description })
    onChanged()
  },
})
