import { expect, it } from 'vitest'
import { makeEmptyUpload, makePatient, makeUser } from '../../../db/factories.ts'
import { sha256 } from '../../../test/sha256.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { tusRequests } from '../../../test/tus.ts'

const SUBMIT = 'mutation ($id: ID!, $files: [String!]) { submitUpload(id: $id, files: $files) { state } }'
const WITHDRAW = 'mutation ($id: ID!) { withdrawUpload(id: $id) { state } }'

async function startUpload(...names: string[]) {
  const server = await createTestServer()
  const { id: createdBy, email } = await makeUser(server.db, { role: 'staff' })
  const registrar = await server.signIn(email)
  const { id: patientId } = await makePatient(server.db)
  const { id } = await makeEmptyUpload(server.db, {
    created_by: createdBy,
    patient_id: patientId,
    state: 'receiving',
  })
  const tus = tusRequests(registrar.fetch)
  for (const name of names) {
    const bytes = Buffer.from(name)
    await tus.patch(await tus.begin(id, bytes, name), 0, bytes)
  }
  const run = async (text: string, variables: Record<string, unknown> = {}) => {
    const { data, errors } = await registrar.graphql(text, { id, ...variables })
    const [error] = errors ?? []
    return error ? { code: error.extensions.code, message: error.message } : data
  }
  const state = async () => {
    const upload = await server.db
      .selectFrom('upload')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirst()
    return upload?.state
  }
  return { server, run, state, createdBy }
}

const hash = (name: string) => sha256(Buffer.from(name)).toString('hex')

it('submits exactly the files that the user sees, even if others have arrived', async () => {
  const { run, state } = await startUpload('văzut.txt', 'nevăzut.txt')
  expect(await run(SUBMIT, { files: [hash('văzut.txt')] })).toEqual({
    code: 'CONFLICT',
    message: 'Au ajuns și fișiere care nu erau în listă: „nevăzut.txt”. Verifică lista și trimite din nou.',
  })
  const files = [hash('văzut.txt'), hash('nevăzut.txt')]
  expect(await run(SUBMIT, { files: [...files, hash('pierdut.txt')] })).toEqual({
    code: 'CONFLICT',
    message: 'Un fișier din listă nu mai este pe server. Verifică lista și trimite din nou.',
  })
  expect(await state()).toBe('receiving')
  expect(await run(SUBMIT, { files })).toEqual({ submitUpload: { state: 'checking' } })
})

it('a repeated submission or withdrawal is a conflict, and no denied access', async () => {
  const { server, run, createdBy } = await startUpload('raport.txt')
  await run(WITHDRAW)
  const conflict = {
    code: 'CONFLICT',
    message: 'Între timp, încărcarea a trecut în starea „retrasă”.',
  }
  expect([await run(SUBMIT), await run(WITHDRAW)]).toEqual([conflict, conflict])
  const denied = await server.db
    .selectFrom('audit_event')
    .select('action')
    .where('actor_id', '=', createdBy)
    .where('outcome', '=', 'denied')
    .execute()
  expect(denied).toEqual([])
})

it('a rejected upload with active content is refused by name once the site refuses such content', async () => {
  const { server, run, state } = await startUpload('raport.txt', 'simplu.txt')
  await run(SUBMIT)
  const findings = [{ kind: 'macros' }]
  await server.db.updateTable('file').set({ scan_result: 'unscanned' }).execute()
  await server.db
    .updateTable('file')
    .set({ facts: JSON.stringify({ findings }) })
    .where('name', '=', 'raport.txt')
    .execute()
  await server.db.updateTable('upload').set({ state: 'rejected' }).execute()
  await server.db
    .insertInto('site_setting')
    .values({ key: 'upload_active_content', value: JSON.stringify('refuse') })
    .execute()
  expect(await run(SUBMIT)).toEqual({
    code: 'CONFLICT',
    message:
      'Organizația nu mai primește fișiere cu conținut activ: „raport.txt”. Retrage încărcarea și încarcă din nou fișierele fără el.',
  })
  expect(await state()).toBe('rejected')
  await server.db.deleteFrom('site_setting').where('key', '=', 'upload_active_content').execute()
  expect(await run(SUBMIT)).toEqual({ submitUpload: { state: 'in_review' } })
})

it('a late repetition of the submission does not overturn a rejection', async () => {
  const { server, run, state } = await startUpload('raport.txt')
  const files = [hash('raport.txt')]
  await run(SUBMIT, { files })
  await server.db.updateTable('upload').set({ state: 'rejected' }).execute()
  await server.db.updateTable('file').set({ scan_result: 'unscanned' }).execute()
  expect(await run(SUBMIT, { files })).toEqual({
    code: 'CONFLICT',
    message: 'Între timp, încărcarea a trecut în starea „respinsă”.',
  })
  expect(await state()).toBe('rejected')
  expect(await run(SUBMIT)).toEqual({ submitUpload: { state: 'in_review' } })
})
