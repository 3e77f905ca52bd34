import { FetchError } from 'ofetch'
import { http } from '../../../api/http.ts'

/**
 * Deletes an unfinished transfer from the server, at an address such as `/files/{id}`. Returns `finished` if
 * the server refuses, because the file has arrived whole. Rejects if the server does not decide: it may not
 * have received the request, or be busy with the file.
 */
export async function deleteTransfer(url: string): Promise<'deleted' | 'finished'> {
  try {
    await http(url, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } })
    return 'deleted'
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.status === 404) return 'deleted'
    if (error.status === 403) return 'finished'
    throw error
  }
}
