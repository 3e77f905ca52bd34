import { FILE_TIMEOUT_MS, http } from '../../api/http.ts'

/**
 * Returns all bytes of a file of this site. `onProgress` gets the loaded percentage (0 to 100); it is not
 * called if the length is unknown. Rejects if access is denied, the network fails, or the signal aborts.
 */
export async function fetchBytes(
  url: string,
  signal: AbortSignal,
  onProgress: (percentage: number) => void,
): Promise<ArrayBuffer> {
  const { body, headers } = await http.raw(url, {
    responseType: 'stream',
    signal,
    timeoutMs: FILE_TIMEOUT_MS,
  })
  const total = Number(headers.get('content-length'))
  let loaded = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, stream) {
      loaded += chunk.length
      if (total > 0) onProgress((100 * loaded) / total)
      stream.enqueue(chunk)
    },
  })
  return new Response(body?.pipeThrough(counting)).arrayBuffer()
}
