import { useMutation } from '@apollo/client/react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/toast.tsx'
import { CREATE_UPLOAD, type PatientUpload, WITHDRAW_UPLOAD } from './filing.queries.ts'
import { type FilingFile, hasFingerprint, isUnderWay } from './filing-file.ts'
import { handInUpload } from './hand-in-upload.ts'
import { type Content, findMissing, NOTHING_ARRIVED } from './resume-plan.ts'
import { createUploadEngine } from './upload-engine.ts'

/** Milliseconds between two tries to hand an upload in while the server cannot be reached. */
const RETRY_PAUSE = 5000

/** The upload that files are being sent into. */
export type FilingTarget = { uploadId: string; number: number; title: string }

export type Filing = ReturnType<typeof useFiling>
export type UploadFacts = {
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
export function useFiling(patientId: string, uploads: readonly PatientUpload[], onChanged: () => void) {
  const [engine] = useState(createUploadEngine)
  const files = useSyncExternalStore(engine.subscribe, engine.getFiles)
  const [target, setTarget] = useState<FilingTarget | null>(null)
  const [givenUp, setGivenUp] = useState<readonly Content[]>([])
  const [failure, setFailure] = useState<unknown>(null)
  const [createUpload, creation] = useMutation(CREATE_UPLOAD)
  const [withdrawUpload, withdrawal] = useMutation(WITHDRAW_UPLOAD)
  const isHandingIn = useRef(false)
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

  const handIn = async ({ uploadId, title }: FilingTarget) => {
    if (isHandingIn.current) return
    isHandingIn.current = true
    const isTarget = uploadId === target?.uploadId
    setFailure(null)
    try {
      await handInUpload(uploadId)
      showToast({ tone: 'success', title: 'Trimis la verificare', description: title })
      if (isTarget) finish()
      else onChanged()
    } catch (error) {
      if (isTarget) setFailure(error)
      else
        showToast({ tone: 'error', title: 'Nu s-a trimis la verificare', description: errorMessage(error) })
    }
    isHandingIn.current = false
  }

  // Everything has arrived: handed in at once, and again until the server answers.
  const isUnreachable = failure !== null && errorCode(failure) === undefined
  const latest = useRef(() => {})
  latest.current = () => {
    if (target) void handIn(target)
  }
  useEffect(() => {
    if (!isComplete) return
    if (failure === null) return latest.current()
    if (!isUnreachable) return
    const timer = setTimeout(() => latest.current(), RETRY_PAUSE)
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

    begin: async (facts: UploadFacts) => {
      const { data } = await createUpload({ variables: { upload: { ...facts, patientId } } })
      if (!data) return
      const { id: uploadId, number } = data.createUpload
      setTarget({ uploadId, number, title: facts.title })
      engine.begin({ uploadId, arrived: NOTHING_ARRIVED })
    },
    /** Goes on with an unfinished upload; with files chosen before, those go into it. */
    resume: ({ id: uploadId, number, title, ...arrived }: PatientUpload) => {
      setTarget({ uploadId, number, title })
      engine.begin({ uploadId, arrived })
    },
    handIn,
    /** Takes a file out of the list: it is no longer waited for. */
    remove: (file: FilingFile) => {
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

const isOver = (status: FilingFile['status']) => status === 'sent' || status === 'skipped'
