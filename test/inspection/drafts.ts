import { makeEmptyUpload, makePatient, makeUser } from '../../db/factories.ts'
import { makeCnp } from '../../shared/romania/cnp.ts'
import { type Files, makePdf } from '../hostile-files.ts'
import type { TestClient, TestServer } from '../test-server.ts'
import { tusRequests } from '../tus.ts'

export const FILE_CHECKS = `query ($id: ID!) { upload(id: $id) { state version fileChecks {
  file { id name sha256 } state refusal { code sentence facts } unreadable isPartlyRead
  comparison { what result disagreeing { value place } } confidence patients { id reasons reasonText } people
  duplicates { kind upload { id state patient { id } } } } } }`
export const SUBMIT = `mutation ($id: ID!, $version: Int, $files: [String!]) {
  submitUpload(id: $id, version: $version, files: $files) { id state } }`

/** Returns a report of one page about this person. */
export const makeReport = ({ surname, given_names, cnp }: Person): Promise<Buffer> =>
  makePdf(1, {}, `hemoglobina 14,2\nNume: ${surname} ${given_names}\nCNP: ${cnp}`)

type Person = { surname: string; given_names: string; cnp: string | null }

/** Creates a registrar who sends files to drafts as a browser does. */
export async function createRegistrar(server: TestServer) {
  const { db } = server
  const { id: userId, email } = await makeUser(db, { features: ['patient::files'] })
  const client = await server.signIn(email)
  const tus = tusRequests(client.fetch)
  let serial = 0

  const send = async (uploadId: string, files: Files): Promise<string[]> => {
    for (const [name, bytes] of Object.entries(files)) {
      const response = await tus.patch(await tus.begin(uploadId, bytes, name), 0, bytes)
      if (response.status !== 204) throw new Error(`PATCH responded ${response.status}`)
    }
    const rows = await db
      .selectFrom('file')
      .select(['id', 'name'])
      .where('upload_id', '=', uploadId)
      .orderBy('position')
      .execute()
    return Object.keys(files).map((name) => rows.findLast((row) => row.name === name)!.id)
  }

  return {
    userId,
    client,
    tus,
    send,
    /** Makes a patient whose name and CNP nobody else has. */
    makePerson: async (over: Parameters<typeof makePatient>[1] = {}) => {
      serial += 1
      const cnp = makeCnp({ sex: 'male', birthDate: `19${50 + serial}-03-04`, county: 12, serial })
      return makePatient(db, {
        surname: SURNAMES[serial % SURNAMES.length]!,
        given_names: 'Ion',
        cnp,
        ...over,
      })
    },
    /** Makes a draft with these files, which have arrived and were not read yet. */
    makeDraft: async (files: Files, over: Parameters<typeof makeEmptyUpload>[1] = {}) => {
      const upload = await makeEmptyUpload(db, { created_by: userId, ...over })
      return { ...upload, fileIds: await send(upload.id, files) }
    },
    /** Returns the checks of the files as this reader sees them. */
    readChecks: async (id: string, reader: TestClient = client) =>
      (await reader.runQuery(FILE_CHECKS, { id })).upload.fileChecks,
  }
}

const SURNAMES = ['Albu', 'Barbu', 'Ciobanu', 'Dobre', 'Enache', 'Florea', 'Grosu', 'Horia', 'Iancu', 'Lupu']
