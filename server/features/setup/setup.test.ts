import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { makeCategory, makeInstitution, makeUser } from '../../../db/factories.ts'
import { SETUP_STEPS, type SetupState, type SetupStep } from '../../../shared/setup/setup.ts'
import { startMailServer } from '../../../test/mail.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { upsertSettings } from '../site/site.db.ts'

const READ = '{ setupChecklist { steps { step state } backupStatedAt } }'

let server: TestServer
let admin: TestClient
let adminId: string
beforeEach(async () => {
  server = await createTestServer()
  const user = await makeUser(server.db, { role: 'admin' })
  adminId = user.id
  admin = await server.signIn(user.email)
})

type Steps = { step: SetupStep; state: SetupState }[]
const readSteps = async (client = admin): Promise<Steps | null> =>
  (await client.runQuery(READ)).setupChecklist?.steps ?? null
const stateOf = async (step: SetupStep) => (await readSteps())?.find((each) => each.step === step)?.state

const ORGANISATION = {
  name: 'Centrul Medical Ștefan cel Mare',
  address: 'Str. Exemplului nr. 7',
  phone: '+40264555010',
  email: 'contact@exemplu.test',
}

const addTestMessage = (state: 'queued' | 'sent' | 'failed') =>
  server.db
    .insertInto('message')
    .values({ id: crypto.randomUUID(), recipient: 'a@exemplu.test', kind: 'test', subject: 'Probă', state })
    .execute()

const addRecoveryCode = () =>
  server.db
    .insertInto('recovery_code')
    .values({ user_id: adminId, code_hash: Buffer.from('a hash') })
    .execute()
const setSecondFactor = () =>
  server.db
    .updateTable('app_user')
    .set({ totp_secret: Buffer.from('a secret') })
    .where('id', '=', adminId)
    .execute()

/** What completes each step, as the data have it. */
const COMPLETE: Record<SetupStep, () => Promise<unknown>> = {
  organisation: () => upsertSettings(server.db, ORGANISATION),
  mail: () => addTestMessage('sent'),
  second_factor: async () => {
    await setSecondFactor()
    await addRecoveryCode()
  },
  categories: () => makeCategory(server.db),
  institution: () => makeInstitution(server.db),
  reviewer: () => makeUser(server.db, { features: ['admin::review-files'] }),
  backup: () => admin.runQuery('mutation { stateBackup }'),
}

describe('the steps of a new organisation', () => {
  it('are all open at first, in their order', async () => {
    expect(await readSteps()).toEqual(SETUP_STEPS.map((step) => ({ step, state: 'open' })))
  })

  it.each(SETUP_STEPS)('%s is done by what it names, and by nothing else', async (step) => {
    for (const [other, complete] of Object.entries(COMPLETE)) if (other !== step) await complete()
    expect(await readSteps()).toEqual(
      SETUP_STEPS.map((each) => ({ step: each, state: each === step ? 'open' : 'done' })),
    )
    await COMPLETE[step]()
    // Nothing is left, so the list is gone.
    expect(await readSteps()).toBeNull()
  })

  it.each(Object.keys(ORGANISATION))('the organisation needs its %s', async (missing) => {
    await upsertSettings(server.db, { ...ORGANISATION, [missing]: missing === 'name' ? 'Dosar' : '' })
    expect(await stateOf('organisation')).toBe('open')
  })

  it('mail that failed proves nothing, and mail that was once accepted does, whatever came after', async () => {
    await addTestMessage('failed')
    expect(await stateOf('mail')).toBe('open')
    await addTestMessage('sent')
    await addTestMessage('failed')
    expect(await stateOf('mail')).toBe('done')
  })

  it('a second factor without recovery codes is not done', async () => {
    await setSecondFactor()
    expect(await stateOf('second_factor')).toBe('open')
  })

  it('a reviewer who was invited is waited for; one who is suspended, or a registrar, is none', async () => {
    await makeUser(server.db, { features: ['patient::files'] })
    await makeUser(server.db, { features: ['admin::review-files'], status: 'suspended' })
    expect(await stateOf('reviewer')).toBe('open')
    await makeUser(server.db, { features: ['admin::review-files'], status: 'invited' })
    expect(await stateOf('reviewer')).toBe('waiting')
    await makeUser(server.db, { role: 'admin' })
    expect(await stateOf('reviewer')).toBe('done')
  })
})

it('a test mail that the mail server accepts proves the mail', async () => {
  const mail = await startMailServer()
  onTestFinished(mail.stop)
  const withMail = await createTestServer({ smtpUrl: mail.url })
  const user = await makeUser(withMail.db, { role: 'admin' })
  const client = await withMail.signIn(user.email)
  const mailState = async () => (await readSteps(client))?.find(({ step }) => step === 'mail')?.state
  await client.runQuery('mutation { sendTestMessage { id } }')
  expect(await mailState()).toBe('waiting')
  await withMail.runJobs()
  await mail.waitFor(user.email)
  expect(await mailState()).toBe('done')
})

const readIsHidden = async (client: TestClient): Promise<boolean> =>
  (await client.runQuery('{ setupChecklist { isHidden } }')).setupChecklist.isHidden

it('only administrators read and change it; what they say is in the audit log once', async () => {
  const staff = await server.signIn((await makeUser(server.db)).email)
  for (const call of [READ, 'mutation { stateBackup }', 'mutation { hideSetup(hidden: true) }'])
    expect((await staff.graphql(call)).errors[0]?.extensions.code).toBe('FORBIDDEN')
  await admin.runQuery('mutation { stateBackup }')
  const stated = (await admin.runQuery(READ)).setupChecklist.backupStatedAt
  await admin.runQuery('mutation { stateBackup }')
  expect((await admin.runQuery(READ)).setupChecklist.backupStatedAt).toBe(stated)
  const hide = (hidden: boolean) => admin.runQuery(`mutation { hideSetup(hidden: ${hidden}) }`)
  await hide(true)
  await hide(true)
  expect(await readIsHidden(admin)).toBe(true)
  const colleague = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
  expect(await readIsHidden(colleague)).toBe(true)
  await hide(false)
  expect(await readIsHidden(admin)).toBe(false)
  const entries = await server.db
    .selectFrom('audit_event')
    .select('action')
    .where('action', 'like', 'setup.%')
    .orderBy('id')
    .execute()
  expect(entries.map(({ action }) => action)).toEqual(['setup.backup', 'setup.hide', 'setup.show'])
})

it('a demo has no steps', async () => {
  await upsertSettings(server.db, { demo: true })
  expect(await readSteps()).toBeNull()
})
