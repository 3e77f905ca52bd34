import { useMutation } from '@apollo/client/react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { CREATE_UPLOAD, type PatientUpload, WITHDRAW_UPLOAD } from './new-upload.queries.ts'
import { hasFingerprint, isUnderWay, type NewUploadFile } from './new-upload-file.ts'
import { type Content, findMissing, NOTHING_RECEIVED } from './resume-plan.ts'
import { submitUpload } from './submit-upload.ts'
import { createUploadEngine } from './upload-engine.ts'

/** Milliseconds between two tries to hand an upload in while the server cannot be reached. */
const RETRY_DELAY_MS = 5000

/** The upload that files are being sent into. */
export type NewUploadTarget = { uploadId: string; number: number; title: string }

export type NewUpload = ReturnType<typeof useNewUpload>
export type UploadInput = {
  title: string
  categorySlug: string | null
  institutionId: string | null
  examinedOn: string | null
  referringDoctor: string
  note: string
}

/**
 * One filing at a time on a patient's page: files are chosen, an upload is begun or an unfinished one gone on with, and
 * once everything has arrived it is handed in. `uploads`: the patient's, as the server has them by now.
 */
export function useNewUpload(patientId: string, uploads: readonly PatientUpload[], onChanged: () => void) {
  const [engine] = useState(createUploadEngine)
  const files = useSyncExternalStore(engine.subscribe, engine.getFiles)
  const [target, setTarget] = useState<NewUploadTarget | null>(null)
  const [givenUp, setGivenUp] = useState<readonly Content[]>([])
  const [failure, setFailure] = useState<unknown>(null)
  const [createUpload, creation] = useMutation(CREATE_UPLOAD)
  const [withdrawUpload, withdrawal] = useMutation(WITHDRAW_UPLOAD)
  const isSubmitting = useRef(false)
  useEffect(() => engine.stop, [engine])

  const upload = uploads.find(({ id }) => id === target?.uploadId)
  const missing = findMissing(upload?.transfers ?? [], [...files.filter(hasFingerprint), ...givenUp])
  const isComplete =
    target !== null && files.length > 0 && missing.length === 0 && files.every(({ status }) => isOver(status))

  const finish = () => {
    engine.stop()
    setTarget(null)
    setGivenUp([])
    setFailure(null)
    onChanged()
  }

  const submit = async ({ uploadId, title }: NewUploadTarget) => {
    if (isSubmitting.current) return
    isSubmitting.current = true
    const isTarget = uploadId === target?.uploadId
    setFailure(null)
    try {
      await submitUpload(uploadId)
      showToast({ tone: 'success', title: 'Trimis la verificare', description: title })
      if (isTarget) finish()
      else onChanged()
    } catch (error) {
      if (isTarget) setFailure(error)
      else
        showToast({ tone: 'error', title: 'Nu s-a trimis la verificare', description: errorMessage(error) })
    }
    isSubmitting.current = false
  }

  // Everything has arrived: handed in at once, and again until the server answers.
  const isUnreachable = failure !== null && errorCode(failure) === undefined
  const latest = useRef(() => {})
  latest.current = () => {
    if (target) void submit(target)
  }
  useEffect(() => {
    if (!isComplete) return
    if (failure === null) return latest.current()
    if (!isUnreachable) return
    const timer = setTimeout(() => latest.current(), RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isComplete, failure, isUnreachable])

  return {
    files,
    target,
    missing,
    isComplete,
    engine,
    /** Why the upload could not be handed in. */
    handInFailure: failure === null ? null : errorMessage(failure),
    creation,
    isCancelling: withdrawal.loading,
    isActive: target !== null && (isComplete || files.some(isUnderWay)),

    begin: async (facts: UploadInput) => {
      const { data } = await createUpload({ variables: { upload: { ...facts, patientId } } })
      if (!data) return
      const { id: uploadId, number } = data.createUpload
      setTarget({ uploadId, number, title: facts.title })
      engine.begin({ uploadId, arrived: NOTHING_RECEIVED })
    },
    /** Goes on with an unfinished upload; with files chosen before, those go into it. */
    resume: ({ id: uploadId, number, title, ...arrived }: PatientUpload) => {
      setTarget({ uploadId, number, title })
      engine.begin({ uploadId, arrived })
    },
    handIn: submit,
    /** Takes a file out of the list: it is no longer waited for. */
    remove: (file: NewUploadFile) => {
      if (hasFingerprint(file)) setGivenUp([...givenUp, file])
      engine.remove(file.id)
    },
    /** Takes an upload back, whatever of it has arrived; answers whether that succeeded. */
    withdraw: async (uploadId: string) => {
      try {
        await withdrawUpload({ variables: { id: uploadId } })
      } catch (error) {
        showToast({ tone: 'error', title: 'Nu am putut anula încărcarea', description: errorMessage(error) })
        return
      }
      if (uploadId === target?.uploadId) finish()
      else onChanged()
      showToast({ tone: 'info', title: 'Încărcarea a fost anulată' })
    },
  }
}

const isOver = (status: NewUploadFile['status']) => status === 'sent' || status === 'skipped'
