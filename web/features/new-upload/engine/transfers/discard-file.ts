import { client } from '../../../../api/client.ts'
import { isTemporary } from '../../../../api/client-error.ts'
import { DISCARD_FILE, RECEIVED_CONTENT } from '../../new-upload.queries.ts'

/**
 * Takes a file with this fingerprint, which has arrived, out of an upload. Returns `finished` if the server refuses:
 * the upload was submitted. Rejects if the server does not decide.
 */
export async function discardFile(uploadId: string, sha256: string): Promise<'deleted' | 'finished'> {
  try {
    const query = {
      query: RECEIVED_CONTENT,
      variables: { id: uploadId },
      fetchPolicy: 'network-only',
    } as const
    const { data } = await client.query(query)
    const file = data?.upload.files.find((each) => each.sha256 === sha256)
    if (file) await client.mutate({ mutation: DISCARD_FILE, variables: { uploadId, fileId: file.id } })
    return 'deleted'
  } catch (error) {
    if (isTemporary(error)) throw error
    return 'finished'
  }
}
