import { FetchError } from 'ofetch'
import { client } from '../../api/client.ts'
import { errorCode } from '../../api/client-error.ts'
import { http } from '../../api/http.ts'
import { SUBMIT_UPLOAD, UPLOAD_TRANSFERS } from './new-upload.queries.ts'

/**
 * Submits an upload with the files that have arrived. Partial transfers that block it (of a removed file, or
 * created twice over a bad connection) are cancelled first. Rejects with the server's error.
 */
export async function submitUpload(id: string): Promise<void> {
  const submit = () => client.mutate({ mutation: SUBMIT_UPLOAD, variables: { id } })
  try {
    await submit()
  } catch (error) {
    if (errorCode(error) !== 'CONFLICT') throw error
    const { data } = await client.query({
      query: UPLOAD_TRANSFERS,
      variables: { id },
      fetchPolicy: 'network-only',
    })
    // An earlier request was carried out and its response was lost.
    if (data?.upload.state !== 'receiving') return
    if (data.upload.transfers.length === 0) throw error
    await Promise.all(data.upload.transfers.map((transfer) => cancelTransfer(transfer.id)))
    await submit()
  }
}

async function cancelTransfer(id: string): Promise<void> {
  try {
    await http(`/files/${id}`, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } })
  } catch (error) {
    if (!(error instanceof FetchError) || error.status !== 404) throw error
  }
}
