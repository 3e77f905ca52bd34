import { makeEmptyUpload, makePatient } from '../../db/factories.ts'
import { createSystemContext } from '../../server/context.ts'
import { checkUpload } from '../../server/features/uploads/inspection/check-upload.ts'
import type { FileDetails } from '../../server/features/uploads/inspection/inspection.ts'
import type { ScanResult } from '../../shared/uploads/files.ts'
import type { UploadState } from '../../shared/uploads/upload-state-list.ts'
import type { Files } from '../hostile-files.ts'
import type { TestClient, TestServer } from '../test-server.ts'
import { tusRequests } from '../tus.ts'
import { createUser } from '../users.ts'

export type FiledFile = { id: string; name: string; scanResult: ScanResult; facts: FileDetails }
export type FiledUpload = { id: string; state: UploadState; files: FiledFile[] }

/** Creates a registrar and a reviewer, who send and read files as their browsers do. */
export async function createFilers(server: TestServer) {
  const { id: userId } = await createUser(server.db, { email: 'registratura@dosar.test' })
  await createUser(server.db, {
    email: 'verificare@dosar.test',
    features: ['patient::files', 'admin::review-files'],
  })
  const registrar = await server.signIn('registratura@dosar.test')
  const reviewer = await server.signIn('verificare@dosar.test')

  /** Sends the files over tus and submits the upload; its check has not run yet. */
  const send = async (files: Files): Promise<string> => {
    const { id: patient_id } = await makePatient(server.db)
    const { id } = await makeEmptyUpload(server.db, { created_by: userId, patient_id })
    const tus = tusRequests(registrar.fetch)
    for (const [name, bytes] of Object.entries(files)) {
      const response = await tus.patch(await tus.begin(id, bytes, name), 0, bytes)
      if (response.status !== 204) throw new Error(`PATCH responded ${response.status}`)
    }
    await registrar.runQuery('mutation ($id: ID!) { submitUpload(id: $id) { state } }', { id })
    return id
  }

  const read = async (id: string, client: TestClient = reviewer): Promise<FiledUpload> => {
    const query = 'query ($id: ID!) { upload(id: $id) { id state files { id name scanResult facts } } }'
    return (await client.runQuery(query, { id })).upload
  }

  return {
    registrar,
    reviewer,
    send,
    read,
    /** Sends the files, runs the check and returns what the reviewer sees. */
    file: async (files: Files): Promise<FiledUpload> => {
      const id = await send(files)
      await checkUpload(createSystemContext(server.services), id)
      return read(id)
    },
  }
}
