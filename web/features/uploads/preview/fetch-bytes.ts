/**
 * The bytes at an address of ours, whole, in one request. By XMLHttpRequest, which tells how far it is: `onProgress` gets
 * the percentage. Rejects where the server refuses, the network fails, or the signal says that nobody wants them.
 */
export function fetchBytes(
  url: string,
  signal: AbortSignal,
  onProgress: (percentage: number) => void,
): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', url)
    request.responseType = 'arraybuffer'
    request.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress((100 * loaded) / total)
    }
    request.onload = () => {
      if (request.status === 200) resolve(request.response as ArrayBuffer)
      else reject(new Error(`file: status ${request.status}`))
    }
    request.onerror = () => reject(new Error('file: no answer'))
    request.onabort = () => reject(new Error('file: no longer wanted'))
    signal.addEventListener('abort', () => request.abort())
    request.send()
  })
}
