import { http } from '../../api/http.ts'

/**
 * The bytes at an address of ours, whole; `onProgress` gets the percentage that is here. Rejects where the server refuses,
 * the network fails, or the signal says that nobody wants them.
 */
export async function fetchBytes(
  url: string,
  signal: AbortSignal,
  onProgress: (percentage: number) => void,
): Promise<ArrayBuffer> {
  const { body, headers } = await http.raw(url, { responseType: 'stream', signal })
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
