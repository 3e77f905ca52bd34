import { expect, it } from 'vitest'
import { makeEmptyUpload, makeInstitution, makeUser } from '../../../../db/factories.ts'
import { UPLOADS_EXPORT_PATH } from '../../../../shared/csv/csv-exports.ts'
import { createIntegration } from '../../../../test/integrations/send-documents.ts'
import { createTestServer } from '../../../../test/test-server.ts'

const QUEUE = 'query ($sender: UploadSender) { uploads(sender: $sender) { nodes { number } } }'
const PLAN = `mutation ($sender: UploadSender) {
  planOperation(kind: withdraw, selection: { filter: { sender: $sender } }, parameters: { reason: "Dublură" }) { total } }`

it('the queue, its export and an operation on all of it have what one kind of sender has sent', async () => {
  const server = await createTestServer()
  const { db } = server
  const { email } = await makeUser(db, { features: ['admin::review-files', 'patient::files'] })
  const reviewer = await server.signIn(email)
  const institution = await makeInstitution(db)
  const integration = await createIntegration(server)
  const sent = { source: 'institution', sender_institution_id: institution.id } as const
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const make = async (minutes: number, over: Parameters<typeof makeEmptyUpload>[1]) =>
    (await makeEmptyUpload(db, { state: 'in_review', state_since: minutesAgo(minutes), ...over })).number
  const ofStaff = [await make(9, {}), await make(8, { source: 'bulk' })]
  const ofInstitution = [await make(7, sent), await make(6, sent)]
  await make(5, { ...sent, state: 'rejected' })
  // A person has filed it since.
  const ofIntegration = [await make(4, { source: 'bulk', integration_id: integration.id })]
  const authorization = await reviewer.authorization('export')

  for (const [sender, expected] of [
    ['staff', ofStaff],
    ['institution', ofInstitution],
    ['integration', ofIntegration],
    [null, [...ofStaff, ...ofInstitution, ...ofIntegration]],
  ] as const) {
    const { uploads } = await reviewer.runQuery(QUEUE, { sender })
    expect([sender, uploads.nodes.map(({ number }: { number: number }) => number)]).toEqual([
      sender,
      expected,
    ])
    const response = await reviewer.fetch(UPLOADS_EXPORT_PATH, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({ sender }),
    })
    const lines = (await response.text()).trimEnd().split('\r\n').slice(1)
    expect(lines.map((line) => Number(line.split(';')[2]!.slice(1, -1)))).toEqual(expected)
    expect((await reviewer.runQuery(PLAN, { sender })).planOperation.total).toBe(expected.length)
  }
  const { changes } = await db
    .selectFrom('audit_event')
    .select('changes')
    .where('action', '=', 'upload.export')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  expect(changes).toEqual({ sender: { to: 'Trimise de personal' }, rows: { to: 2 } })
})
