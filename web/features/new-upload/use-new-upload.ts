import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { confirmFiles, listConcerns } from './checks/concerns.ts'
import { useFileChecks } from './checks/use-file-checks.ts'
import { useSubmissionQuestion } from './checks/use-submission-question.tsx'
import { findLoss, findMissingFiles, isOpen, type UploadTarget } from './engine/draft.ts'
import { createNewUpload } from './engine/new-upload.ts'
import { hasFingerprint } from './engine/new-upload-file.ts'
import type { UploadEvents, UploadServer } from './engine/submission.ts'
import {
  createUpload,
  movedElsewhere,
  moveFiles,
  readFileChecks,
  readOfPatient,
  saveDetails,
  submitUpload,
  type UploadInput,
  withdrawUpload,
} from './upload-server.ts'

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
    patientId,
    createUpload: (input: UploadInput) => createUpload({ ...input, patientId }),
    saveDetails: (id, input) => saveDetails(id, { ...input, patientId }),
    submitUpload,
    moveFiles,
    readContent: (id) => readOfPatient(id, patientId),
    onChanged,
  })

/**
 * An upload whose files the page sends: `createUpload` begins it, `submitUpload` submits it. `onChanged` is called after it
 * was submitted or withdrawn.
 */
export function useUploadDraft<Input extends { title: string }>({
  patientId,
  onChanged,
  ...server
}: Omit<UploadServer<Input>, 'withdrawUpload' | 'confirm'> & {
  /** Of whom the files should be; null: the upload has no patient. */
  patientId: string | null
  onChanged: () => void
}) {
  const navigate = useNavigate()
  const latest = useRef({ onChanged, navigate })
  latest.current = { onChanged, navigate }
  const question = useSubmissionQuestion()
  const [events] = useState(() =>
    showEvents({
      onChanged: () => latest.current.onChanged(),
      onOpenPatient: (id) =>
        void latest.current.navigate({ to: '/patients/$patientId', params: { patientId: id } }),
    }),
  )
  const [upload] = useState(() => {
    const read = async (uploadId: string) => {
      const { version, patient, fileChecks: checks } = await readFileChecks(uploadId)
      if ((patient?.id ?? null) !== patientId) throw movedElsewhere()
      return { version, checks, concerns: listConcerns(checks, patientId) }
    }
    const confirm = ({ uploadId }: UploadTarget) => confirmFiles(() => read(uploadId), question.ask)
    return createNewUpload({ ...server, withdrawUpload, confirm }, events)
  })
  const files = useSyncExternalStore(upload.engine.subscribe, upload.engine.getFiles)
  const draft = useSyncExternalStore(upload.subscribe, upload.getDraft)
  const isLeft = useRef(false)
  useEffect(() => () => (isLeft.current ? upload.leave() : upload.stop()), [upload])
  const open = isOpen(draft) ? draft : null
  const arrived = [
    ...files.filter(({ status }) => status === 'sent').filter(hasFingerprint),
    ...(open?.earlier.files ?? []),
  ]
  const checks = useFileChecks(
    open?.target.uploadId ?? null,
    arrived.map(({ sha256 }) => sha256),
  )
  return {
    patientId,
    question,
    /** What the files that have arrived say. */
    checks,
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
const showEvents = ({
  onChanged,
  onOpenPatient,
}: {
  onChanged: () => void
  onOpenPatient: (id: string) => void
}): UploadEvents => ({
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
  onMoved: ({ id, name }, count) => {
    showToast({
      tone: 'success',
      title: `${counted(count, 'fișier așteaptă', 'fișiere așteaptă')} la ${name}`,
      description: 'Completează datele și trimite-le la verificare de acolo.',
      action: { label: 'Mergi la pacient', onAction: () => onOpenPatient(id) },
    })
    onChanged()
  },
  onRemoveFailed: (error) =>
    showToast({ tone: 'error', title: 'Fișierul nu a fost scos', description: errorMessage(error) }),
  onMoveFailed: (error) =>
    showToast({ tone: 'error', title: 'Fișierele nu au fost mutate', description: errorMessage(error) }),
  onSubmitFailed: ({ title }, error) => {
    const description = errorMessage(error)
    showToast({ tone: 'error', title: `Nu s-a trimis la verificare: ${title}`, description })
    onChanged()
  },
})
