import { FetchError } from 'ofetch'
import { http } from '../../../../api/http.ts'

const headers = { 'Tus-Resumable': '1.0.0' }

/**
 * Deletes an unfinished transfer from the server, at an address such as `/files/{id}`. Returns `finished` if
 * the server refuses, because the file has arrived whole. Rejects if the server does not decide: it may not
 * have received the request, or be busy with the file.
 */
export async function deleteTransfer(url: string): Promise<'deleted' | 'finished'> {
  try {
    await http(url, { method: 'DELETE', headers })
    return 'deleted'
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.status === 404) return 'deleted'
    if (error.status === 403 && (await isFinished(url))) return 'finished'
    throw error
  }
}

/** Whether the server has all bytes of the transfer: a proxy too may have rejected the request. */
export async function isFinished(url: string): Promise<boolean> {
  const response = await http.raw(url, { method: 'HEAD', headers })
  const length = response.headers.get('upload-length')
  return length !== null && response.headers.get('upload-offset') === length
}
