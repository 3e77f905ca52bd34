import { useEffect, useRef, useState } from 'react'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { submitUpload } from './submit-upload.ts'

/** The upload that receives the files. */
export type NewUploadTarget = { uploadId: string; number: number; title: string }

/** Between two attempts while the server cannot be reached. */
const RETRY_DELAY_MS = 5000

/**
 * Submits `target` as soon as it is complete, and again while the server cannot be reached. A failure of
 * `target` is returned in `submitFailure`, that of another upload is shown in a toast. `onSubmitted` is
 * called after a success.
 */
export function useSubmission(
  target: NewUploadTarget | null,
  isComplete: boolean,
  onSubmitted: (upload: NewUploadTarget) => void,
) {
  const [failed, setFailed] = useState<{ uploadId: string; error: unknown } | null>(null)
  const failure = failed && failed.uploadId === target?.uploadId ? failed.error : null
  const isSubmitting = useRef(false)

  const submit = async (upload: NewUploadTarget) => {
    if (isSubmitting.current) return
    isSubmitting.current = true
    setFailed(null)
    try {
      await submitUpload(upload.uploadId)
      showToast({ tone: 'success', title: 'Trimis la verificare', description: upload.title })
      onSubmitted(upload)
    } catch (error) {
      if (upload.uploadId === target?.uploadId) setFailed({ uploadId: upload.uploadId, error })
      else
        showToast({ tone: 'error', title: 'Nu s-a trimis la verificare', description: errorMessage(error) })
    }
    isSubmitting.current = false
  }

  const isUnreachable = failure !== null && errorCode(failure) === undefined
  const submitTarget = useRef(() => {})
  submitTarget.current = () => {
    if (target) void submit(target)
  }
  useEffect(() => {
    if (!isComplete) return
    if (failure === null) return submitTarget.current()
    if (!isUnreachable) return
    const timer = setTimeout(() => submitTarget.current(), RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isComplete, failure, isUnreachable])

  return {
    /** The Romanian sentence that says why the upload could not be submitted; null without a failure. */
    submitFailure: failure === null ? null : errorMessage(failure),
    submit,
  }
}
