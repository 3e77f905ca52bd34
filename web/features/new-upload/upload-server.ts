import { CombinedGraphQLErrors } from '@apollo/client/errors'
import { client } from '../../api/client.ts'
import { errorCode, isTemporary } from '../../api/client-error.ts'
import type { SavingResult, Submission, SubmissionResult } from './engine/submission.ts'
import { deleteTransfer } from './engine/transfers/delete-transfer.ts'
import {
  CREATE_UPLOAD,
  FILE_CHECKS,
  MOVE_FILES,
  RECEIVED_CONTENT,
  SAVE_DETAILS,
  SUBMIT_UPLOAD,
  WITHDRAW_UPLOAD,
} from './new-upload.queries.ts'

export type UploadInput = {
  title: string
  categorySlug: string | null
  institutionId: string | null
  examinedOn: string | null
  accessionNumber: string
  referringDoctor: string
  note: string
}

/** Rejects with the server's error. */
export async function createUpload(
  upload: UploadInput & { patientId: string },
): Promise<{ id: string; number: number }> {
  const { data } = await client.mutate({ mutation: CREATE_UPLOAD, variables: { upload } })
  if (!data) throw new Error('createUpload: no data')
  return data.createUpload
}

/** How often a change of the own draft is repeated that another request, as the arrival of a file, has overtaken. */
const MAX_SAVE_ATTEMPTS = 3

/** The state of now. */
const CURRENT = { fetchPolicy: 'network-only' } as const

/** Replaces the details of an upload that the user has not submitted yet, whatever its version is. */
export async function saveDetails(
  id: string,
  upload: UploadInput & { patientId: string },
): Promise<SavingResult> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const { version, isHere } = await readOfPatient(id, upload.patientId)
      if (!isHere) return { kind: 'refused', error: movedElsewhere(), isUnreachable: false }
      await client.mutate({ mutation: SAVE_DETAILS, variables: { id, version, upload } })
      return { kind: 'saved' }
    } catch (error) {
      const isOvertaken = errorCode(error) === 'CONFLICT' && attempt < MAX_SAVE_ATTEMPTS
      if (!isOvertaken) return { kind: 'refused', error, isUnreachable: isTemporary(error) }
    }
}

/** Reads what the server has; `isHere`: the upload is still of this patient. */
export async function readOfPatient(id: string, patientId: string) {
  const content = await readContent(id)
  return { ...content, isHere: content.patient?.id === patientId }
}

/** The error for an upload that is of another patient since, which nothing on this page may change. */
export const movedElsewhere = () =>
  new CombinedGraphQLErrors({
    errors: [{ message: 'Încărcarea a fost mutată la alt pacient.', extensions: { code: 'CONFLICT' } }],
  })

export const moveFiles = (uploadId: string, fileIds: readonly string[], patientId: string) =>
  client.mutate({ mutation: MOVE_FILES, variables: { uploadId, fileIds: [...fileIds], patientId } })

/** Reads what the files of an upload say, from the server. */
export async function readFileChecks(id: string) {
  const { data } = await client.query({ query: FILE_CHECKS, variables: { id }, ...CURRENT })
  if (!data) throw new Error('fileChecks: no data')
  return data.upload
}

/** Submits an upload with exactly these files, after deleting the discarded partial transfers. */
export const submitUpload = (id: string, submission: Submission): Promise<SubmissionResult> =>
  submitFrom('receiving', id, submission)

/** Submits a rejected upload with other files than before, as `submitUpload` does a new one. */
export const submitAgain = (id: string, submission: Submission): Promise<SubmissionResult> =>
  submitFrom('rejected', id, submission)

/** Submits an upload that was in this state when its files were sent. */
async function submitFrom(
  open: 'receiving' | 'rejected',
  id: string,
  submission: Submission,
): Promise<SubmissionResult> {
  const submit = () =>
    client.mutate({
      mutation: SUBMIT_UPLOAD,
      variables: { id, files: [...submission.files], version: submission.version ?? null },
    })
  try {
    await submit().catch(async (error: unknown) => {
      const { state, files, transfers } = await readAfter(error, id)
      // An earlier request was carried out and its response was lost.
      const hashes = files.map(({ sha256 }) => sha256)
      if (state !== open && state !== 'withdrawn' && isSameSet(hashes, submission.files)) return
      const discarded = transfers.filter(({ sha256 }) => submission.discarded.includes(sha256))
      if (state !== open || discarded.length === 0) throw error
      await Promise.all(discarded.map((transfer) => deleteTransfer(`/files/${transfer.id}`)))
      await submit()
    })
    return { kind: 'submitted' }
  } catch (error) {
    const isUnreachable = isTemporary(error)
    const content = isUnreachable ? null : await readContent(id).catch(() => null)
    return { kind: 'refused', error, isUnreachable, content }
  }
}

/** Rejects with the server's error, unless the upload is already withdrawn. */
export async function withdrawUpload(id: string): Promise<void> {
  try {
    await client.mutate({ mutation: WITHDRAW_UPLOAD, variables: { id } })
  } catch (error) {
    if ((await readAfter(error, id)).state !== 'withdrawn') throw error
  }
}

/** Returns what the server has after it has rejected a change of the upload's state; otherwise rejects. */
async function readAfter(error: unknown, id: string) {
  if (errorCode(error) !== 'CONFLICT') throw error
  return readContent(id)
}

export async function readContent(id: string) {
  const { data } = await client.query({ query: RECEIVED_CONTENT, variables: { id }, ...CURRENT })
  if (!data) throw new Error('upload: no data')
  return data.upload
}

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((each) => other.includes(each)) && other.every((each) => one.includes(each))
