import { useMutation } from '@apollo/client/react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { hasFingerprint, isUnderWay, type NewUploadFile } from './engine/new-upload-file.ts'
import { type Content, findMissing, NOTHING_RECEIVED } from './engine/resume-plan.ts'
import { createUploadEngine } from './engine/upload-engine.ts'
import { CREATE_UPLOAD, type PatientUpload } from './new-upload.queries.ts'
import { type NewUploadTarget, useSubmission } from './use-submission.ts'
import { useWithdrawal } from './use-withdrawal.ts'

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
 * The new upload on a patient's page, one at a time: files are chosen, an upload is created or an unfinished
 * one is resumed, and it is submitted once all files have arrived. `uploads`: the patient's uploads as the
 * server last listed them; `onChanged` is called after an upload was submitted or withdrawn.
 */
export function useNewUpload(patientId: string, uploads: readonly PatientUpload[], onChanged: () => void) {
  const [engine] = useState(createUploadEngine)
  const files = useSyncExternalStore(engine.subscribe, engine.getFiles)
  const [target, setTarget] = useState<NewUploadTarget | null>(null)
  const [removed, setRemoved] = useState<readonly Content[]>([])
  const [createUpload, creation] = useMutation(CREATE_UPLOAD)
  useEffect(() => engine.stop, [engine])

  const transfers = uploads.find(({ id }) => id === target?.uploadId)?.transfers ?? []
  const missing = findMissing(transfers, [...files.filter(hasFingerprint), ...removed])
  const isComplete = target !== null && files.length > 0 && missing.length === 0 && files.every(needsNoMore)

  const finish = ({ uploadId }: { uploadId: string }) => {
    if (uploadId === target?.uploadId) {
      engine.stop()
      setTarget(null)
      setRemoved([])
    }
    onChanged()
  }
  const submission = useSubmission(target, isComplete, finish)
  const withdrawal = useWithdrawal(finish)

  return {
    files,
    target,
    missing,
    isComplete,
    engine,
    creation,
    ...submission,
    ...withdrawal,
    isActive: target !== null && (isComplete || files.some(isUnderWay)),

    begin: async (input: UploadInput) => {
      const { data } = await createUpload({ variables: { upload: { ...input, patientId } } })
      if (!data) return
      const { id: uploadId, number } = data.createUpload
      setTarget({ uploadId, number, title: input.title })
      engine.begin({ uploadId, arrived: NOTHING_RECEIVED })
    },
    /** Continues an unfinished upload, with the files that are already chosen. */
    resume: ({ id: uploadId, number, title, ...arrived }: PatientUpload) => {
      setTarget({ uploadId, number, title })
      engine.begin({ uploadId, arrived })
    },
    /** Leaves a file out, so that the upload is complete without it. */
    remove: (file: NewUploadFile) => {
      if (hasFingerprint(file)) setRemoved([...removed, file])
      engine.remove(file.id)
    },
  }
}

const needsNoMore = ({ status }: NewUploadFile) => status === 'sent' || status === 'skipped'
