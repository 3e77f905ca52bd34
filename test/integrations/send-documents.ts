import { makeUser } from '../../db/factories.ts'
import { hashToken, newToken } from '../../server/platform/crypto/keys.ts'
import { newId } from '../../server/platform/ids.ts'
import { INTAKE_FILES_PATH, INTAKE_PATH } from '../../shared/integrations.ts'
import { sha256 } from '../sha256.ts'
import type { TestServer } from '../test-server.ts'
import { metadata, tusRequests } from '../tus.ts'

type Document = {
  /** The idempotency key. */
  key: string
  file: Uint8Array
  name?: string
  facts?: unknown
  headers?: Record<string, string>
}

/** Adds an integration to the database; sends documents with its key, to the server in this process or at an address. */
export async function createIntegration(
  server: TestServer,
  over: {
    addresses?: string[]
    submits_to_review?: boolean
    institution_id?: string
    category_slug?: string
  } = {},
) {
  const secret = `di_${newToken()}`
  const id = newId()
  const { id: created_by } = await makeUser(server.db, { role: 'admin' })
  const key_hash = hashToken(secret)
  const row = {
    id,
    name: 'LIS central',
    kind: 'program' as const,
    key_hash,
    hint: secret.slice(-4),
    created_by,
  }
  await server.db
    .insertInto('integration')
    .values({ ...row, ...over })
    .execute()
  const headers = (key: string) => ({ authorization: `Bearer ${secret}`, 'idempotency-key': key })
  const post = async (form: FormData, key: string, more: Record<string, string> = {}, url?: string) => {
    const init = { method: 'POST', body: form, headers: { ...headers(key), ...more } }
    const response = url
      ? await fetch(`${url}${INTAKE_PATH}`, init)
      : await server.app.request(INTAKE_PATH, init)
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any response and asserts its shape
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }
  /** Sends a document in several requests, with the key of the document in each. */
  const resumable = (key: string, url?: string) => {
    const tus = tusRequests((path, init) => {
      const request = { ...init, headers: { ...headers(key), ...init?.headers } }
      return url ? fetch(`${url}${path}`, request) : Promise.resolve(server.app.request(path, request))
    })
    const create = (file: Uint8Array, name = 'rezultat.txt', size = file.length) =>
      tus.send(INTAKE_FILES_PATH, 'POST', {
        'upload-length': String(size),
        'upload-metadata': metadata({ filename: name, sha256: sha256(file).toString('hex') }),
      })
    return {
      ...tus,
      create,
      /** Returns the address of the transfer. */
      begin: async (file: Uint8Array, name?: string): Promise<string> => {
        const response = await create(file, name)
        if (response.status !== 201)
          throw new Error(`POST responded ${response.status} ${await response.text()}`)
        return response.headers.get('location')!
      },
      /** Files what the transfer has brought. */
      finish: (path: string, facts?: unknown) => {
        const form = new FormData()
        if (facts !== undefined) form.append('facts', JSON.stringify(facts))
        form.append('transfer', path.split('/').at(-1)!)
        return post(form, key, {}, url)
      },
    }
  }
  return {
    id,
    headers,
    post,
    resumable,
    send: (document: Document, url?: string) => post(formOf(document), document.key, document.headers, url),
  }
}

export function formOf({ file, name = 'rezultat.txt', facts }: Omit<Document, 'key'>): FormData {
  const form = new FormData()
  if (facts !== undefined) form.append('facts', typeof facts === 'string' ? facts : JSON.stringify(facts))
  form.append('file', new File([Buffer.from(file)], name))
  return form
}
