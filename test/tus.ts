import { sha256 } from './sha256.ts'

export type Fetch = (path: string, init?: RequestInit) => Promise<Response>

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')

/** Returns the `Upload-Metadata` that the product's own client sends. */
export function metadata(values: Record<string, string | Uint8Array>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',')
}

export const describe = (
  uploadId: string,
  bytes: Uint8Array,
  filename = 'raport.pdf',
  more: Record<string, string> = {},
): string =>
  metadata({
    filename,
    filetype: 'application/pdf',
    uploadId,
    sha256: sha256(bytes).toString('hex'),
    ...more,
  })

/** Returns the requests of the tus protocol, as a client sends them. */
export function tusRequests(fetch: Fetch) {
  const send = (path: string, method: string, headers: Record<string, string>, body?: BodyInit) =>
    fetch(path, { method, headers: { 'tus-resumable': '1.0.0', ...headers }, ...(body ? { body } : {}) })
  const octets = { 'content-type': 'application/offset+octet-stream' }
  return {
    create: (headers: Record<string, string>) => send('/files', 'POST', headers),
    /** Creates a transfer for these bytes; returns its address. */
    begin: async (uploadId: string, bytes: Uint8Array, filename?: string): Promise<string> => {
      const response = await send('/files', 'POST', {
        'upload-length': String(bytes.length),
        'upload-metadata': describe(uploadId, bytes, filename),
      })
      if (response.status !== 201)
        throw new Error(`POST responded ${response.status} ${await response.text()}`)
      return response.headers.get('location')!
    },
    createWithBody: (uploadId: string, bytes: Uint8Array, sent = bytes) =>
      send(
        '/files',
        'POST',
        { ...octets, 'upload-length': String(bytes.length), 'upload-metadata': describe(uploadId, bytes) },
        sent as BodyInit,
      ),
    /** Sends a small file with its announcement, by an id of the client's own; `sent` in place of its bytes. */
    createWhole: (uploadId: string, bytes: Uint8Array, id: string, sent = bytes) =>
      send(
        '/files',
        'POST',
        {
          ...octets,
          'upload-length': String(bytes.length),
          'content-length': String(bytes.length),
          'upload-metadata': describe(uploadId, bytes, undefined, { id }),
        },
        sent as BodyInit,
      ),
    patch: (path: string, offset: number, bytes: Uint8Array) =>
      send(path, 'PATCH', { ...octets, 'upload-offset': String(offset) }, bytes as BodyInit),
    head: (path: string) => send(path, 'HEAD', {}),
    /** Returns the offset that the server reports; rejects where the status is not 200. */
    offset: async (path: string): Promise<number> => {
      const response = await send(path, 'HEAD', {})
      if (response.status !== 200) throw new Error(`HEAD responded ${response.status}`)
      return Number(response.headers.get('upload-offset'))
    },
    terminate: (path: string) => send(path, 'DELETE', {}),
    send,
  }
}
