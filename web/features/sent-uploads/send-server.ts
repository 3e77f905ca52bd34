import { client } from '../../api/client.ts'
import { errorCode, isTemporary } from '../../api/client-error.ts'
import type { Concern } from '../new-upload/checks/concerns.ts'
import type { SavingResult, Submission, SubmissionResult } from '../new-upload/engine/submission.ts'
import { deleteTransfer } from '../new-upload/engine/transfers/delete-transfer.ts'
import { describeSentCheck } from './describe-sent-check.ts'
import {
  CREATE_SENT_UPLOAD,
  DISCARD_SENT_FILE,
  EDIT_SENT_UPLOAD,
  SENT_CHECKS,
  SENT_DRAFT,
  SUBMIT_SENT_UPLOAD,
  WITHDRAW_SENT_UPLOAD,
} from './sent-uploads.queries.ts'

/** What the form says of an upload that an institution sends. */
export type SentInput = {
  patientId: string | null
  title: string
  categorySlug: string | null
  examinedOn: string | null
  note: string
}

export async function createSentUpload(institutionId: string, upload: SentInput) {
  const variables = { institutionId, upload }
  const { data } = await client.mutate({ mutation: CREATE_SENT_UPLOAD, variables })
  if (!data) throw new Error('createSentUpload: no data')
  return data.createSentUpload
}

/** Attempts of a change that another request, as the arrival of a file, overtakes. */
const MAX_SAVE_ATTEMPTS = 3

/** Replaces the details of a draft, whatever its version is. */
export async function saveSentDetails(id: string, upload: SentInput): Promise<SavingResult> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const { version } = await readSent(id)
      await client.mutate({ mutation: EDIT_SENT_UPLOAD, variables: { id, version, upload } })
      return { kind: 'saved' }
    } catch (error) {
      const isOvertaken = errorCode(error) === 'CONFLICT' && attempt < MAX_SAVE_ATTEMPTS
      if (!isOvertaken) return { kind: 'refused', error, isUnreachable: isTemporary(error) }
    }
}

/** Reads what the files of a draft say, from the server, and what the user is asked about before it is submitted. */
export async function readSentConcerns(id: string) {
  const { data } = await client.query({ query: SENT_CHECKS, variables: { id }, fetchPolicy: 'network-only' })
  if (!data) throw new Error('sentChecks: no data')
  const { version, patient, checks } = data.sentDraft
  const concerns = checks.flatMap((check): Concern[] => {
    const { tone, text } = describeSentCheck(check, patient?.id ?? null)
    return tone === 'danger' ? [{ key: `${check.file.sha256} ${text}`, name: check.file.name, text }] : []
  })
  return { version, checks, concerns }
}

/** Submits a draft with exactly these files, after deleting the discarded partial transfers. */
export async function submitSentUpload(id: string, submission: Submission): Promise<SubmissionResult> {
  const variables = { id, files: [...submission.files] }
  const submit = () => client.mutate({ mutation: SUBMIT_SENT_UPLOAD, variables })
  try {
    await submit().catch(async (error: unknown) => {
      if (errorCode(error) !== 'CONFLICT') throw error
      const { state, transfers } = await readSent(id)
      // An earlier request was carried out and its response was lost.
      if (state !== 'receiving' && state !== 'withdrawn') return
      const discarded = transfers.filter(({ sha256 }) => submission.discarded.includes(sha256))
      if (state !== 'receiving' || discarded.length === 0) throw error
      await Promise.all(discarded.map((transfer) => deleteTransfer(`/files/${transfer.id}`)))
      await submit()
    })
    return { kind: 'submitted' }
  } catch (error) {
    const isUnreachable = isTemporary(error)
    const content = isUnreachable ? null : await readSent(id).catch(() => null)
    return { kind: 'refused', error, isUnreachable, content }
  }
}

/** Rejects with the server's error, unless the upload is already withdrawn. */
export async function withdrawSentUpload(id: string): Promise<void> {
  try {
    await client.mutate({ mutation: WITHDRAW_SENT_UPLOAD, variables: { id } })
  } catch (error) {
    if (errorCode(error) !== 'CONFLICT' || (await readSent(id)).state !== 'withdrawn') throw error
  }
}

/** Takes a file that has arrived out of a draft. Returns `finished` if the server refuses: the draft was submitted. */
export async function discardSentFile(uploadId: string, sha256: string): Promise<'deleted' | 'finished'> {
  try {
    const file = (await readSent(uploadId)).files.find((each) => each.sha256 === sha256)
    if (file) await client.mutate({ mutation: DISCARD_SENT_FILE, variables: { uploadId, fileId: file.id } })
    return 'deleted'
  } catch (error) {
    if (isTemporary(error)) throw error
    return 'finished'
  }
}

/** Reads what the server has of a draft now. */
async function readSent(id: string) {
  const { data } = await client.query({
    query: SENT_DRAFT,
    variables: { id },
    fetchPolicy: 'network-only',
  })
  if (!data) throw new Error('sentDraft: no data')
  return data.sentDraft
}
