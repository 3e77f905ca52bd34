import { beforeEach, describe, expect, it } from 'vitest'
import { makeEmptyUpload, makeInstitution, makePatient } from '../db/factories.ts'
import {
  AUDIT_EXPORT_PATH,
  INSTITUTIONS_EXPORT_PATH,
  LEDGER_EXPORT_PATH,
  PATIENTS_EXPORT_PATH,
  UPLOADS_EXPORT_PATH,
} from '../shared/csv/csv-exports.ts'
import { LIMITS } from '../shared/limits.ts'
import { PATIENT_RECORDS_PATH } from '../shared/patients.ts'
import { ACCESS_SETTINGS, siteSettings } from '../shared/site/site-settings.ts'
import { saveCategories } from '../test/categories.ts'
import { createPasskey } from '../test/passkey.ts'
import { enableSecondFactor } from '../test/second-factor.ts'
import { createTestServer, type TestClient, type TestServer } from '../test/test-server.ts'
import { createUser, TEST_PASSWORD } from '../test/users.ts'
import { upsertSettings } from './features/site/site.db.ts'
import { schema } from './schema.ts'

const PROVE =
  'mutation ($password: String!, $code: String) { proveIdentity(password: $password, code: $code) }'
const CREATE_KEY = 'mutation { createApiKey(name: "Statistici") { apiKey { id } } }'
const CREATE_INTEGRATION = `mutation ($input: IntegrationInput!) {
  createIntegration(input: $input) { integration { id } } }`
const INTEGRATION = { name: 'LIS', kind: 'program', addresses: [], submitsToReview: false }
const ADD_PASSKEY =
  'mutation ($response: JSON!) { addPasskey(name: "Telefon", response: $response) { recoveryCodes } }'
const UPDATE =
  'mutation ($id: ID!, $version: Int!, $user: UserInput!) { updateUser(id: $id, version: $version, user: $user) { id } }'
const SAVE =
  'mutation ($version: Int!, $changes: JSON!) { saveSettings(version: $version, changes: $changes) { version } }'

/** Mutations that need no fresh proof: they neither give nor take away access, or only end it. */
const ORDINARY = new Set([
  'sendShareCode',
  'proveShare',
  'leaveShare',
  'endShares',
  'createShare',
  'acceptAccessRequest',
  'acceptGroup',
  'acceptSureGroups',
  'acceptUpload',
  'acknowledgeRecall',
  'addToBatch',
  'addIncidentNote',
  'allowPatientImportLines',
  'answerDeletionRequest',
  'answerQuestion',
  'askQuestion',
  'chooseDelivery',
  'chooseDepartment',
  'keepInboxFilters',
  'markNotificationsSeen',
  'chooseNotifications',
  'createDepartment',
  'createNews',
  'editNews',
  'markNewsRead',
  'markResults',
  'pinNews',
  'removeDepartment',
  'removeNews',
  'updateDepartment',
  'beginPasskeyProof',
  'cancelInvitation',
  'checkPatientImport',
  'chooseGroupPatient',
  'closeBatch',
  'closeIncident',
  'closeQuestion',
  'reopenIncident',
  'correctUpload',
  'createBatch',
  'createInstitution',
  'createPatient',
  'createReferral',
  'createSentUpload',
  'createUpload',
  'discardFile',
  'discardSentFile',
  'editSentUpload',
  'editUpload',
  'endOtherSessions',
  'endSession',
  'findPatientByCnp',
  'hideSetup',
  'installCategoryTemplate',
  'markDistinctPatients',
  'markQuestionRead',
  'moveFiles',
  'moveReleasedUpload',
  'proveIdentity',
  'regroupFiles',
  'refuseAccessRequest',
  'rejectUpload',
  'renamePasskey',
  'requestAccess',
  'startOperation',
  'cancelOperation',
  'undoOperation',
  'releaseUpload',
  'removeFile',
  'removePatientImport',
  'replaceUpload',
  'rereadPatientImport',
  'restoreFile',
  'resendAnnouncements',
  'retryJob',
  'retryMessage',
  'saveIncidentNotices',
  'returnUpload',
  'revealCnp',
  'revealFoundPerson',
  'sendTestMessage',
  'startPatientImport',
  'stateBackup',
  'stopPatientImport',
  'submitSentUpload',
  'submitUpload',
  'undoFiling',
  'undoVerdict',
  'suspendInstitution',
  'suspendUser',
  'updateInstitution',
  'updateOwnInstitution',
  'updatePatient',
  'updateReferral',
  'verifyAudit',
  'withdrawSentUpload',
  'withdrawUpload',
])

/** Mutations that take the password, and a code where there is a factor, with the request itself. */
const PROVED_INSIDE = new Set(['beginSecondFactor', 'confirmSecondFactor', 'disableSecondFactor'])

let server: TestServer
let admin: TestClient & { id: string }
let serial = 0

beforeEach(async () => {
  server = await createTestServer()
  const user = await createUser(server.db, {
    email: 'sefa@clinica.test',
    role: 'admin',
    name: 'Ilinca Șerban',
  })
  admin = { ...(await server.signIn(user.email)), id: user.id }
})

const createPerson = (over: Partial<Parameters<typeof createUser>[1]> = {}) => {
  serial += 1
  return createUser(server.db, { email: `persoana-${serial}@clinica.test`, role: 'staff', ...over })
}

/** Makes the last proof of every session this many seconds old. */
const ageProofs = (seconds: number) =>
  server.db
    .updateTable('session')
    .set({ proved_at: new Date(Date.now() - seconds * 1000) })
    .execute()

type Act = (client: TestClient) => Promise<{ code: string | undefined }>

const run =
  (query: string, variables: object): Act =>
  async (client) => ({ code: (await client.graphql(query, { ...variables })).errors[0]?.extensions.code })

const update = async (change: object, over: Parameters<typeof createPerson>[0] = {}) => {
  const { id, version, email, name, role, features } = await createPerson(over)
  return run(UPDATE, { id, version, user: { email, name, role, features, ...change } })
}

const MERGE = `mutation ($survivorId: ID!, $mergedId: ID!) {
  mergePatients(survivorId: $survivorId, survivorVersion: 1, mergedId: $mergedId, mergedVersion: 1) { merges { id } } }`
const patientsToMerge = async () => ({
  survivorId: (await makePatient(server.db)).id,
  mergedId: (await makePatient(server.db, { cnp: null })).id,
})

const makeIntegration = async (): Promise<string> =>
  (await admin.runQuery(CREATE_INTEGRATION, { input: INTEGRATION })).createIntegration.integration.id

const save = async (changes: object) => run(SAVE, { version: 1, changes })

const CATEGORY = { name: 'Imagistică', slug: 'imagistica', icon: 'bone', color: '#2563eb' }
const STRICT = { reviewRequired: true, reviewers: 2, release: 'by_hand', visibleToPatients: false }

/** Changes the policy of a strict category, or removes it, and adds others. */
const saveOneCategory = async (policy: object | null, added: readonly object[] = []): Promise<Act> => {
  await saveCategories(admin, [{ ...CATEGORY, ...STRICT }])
  const changed = policy ? [{ ...CATEGORY, ...STRICT, ...policy }] : []
  return run('mutation ($input: String!) { saveCategories(input: $input) }', {
    input: JSON.stringify([...changed, ...added]),
  })
}

/** Every grave act by its mutation or route; `: …` tells several of one mutation apart. */
const GRAVE: Record<string, () => Promise<Act>> = {
  'inviteUser: an administrator': async () =>
    run('mutation ($user: UserInput!) { inviteUser(invitation: $user) { isMailed } }', {
      user: { email: 'nou@clinica.test', name: 'Nou', role: 'admin' },
    }),
  'inviteUser: staff': async () =>
    run('mutation ($user: UserInput!) { inviteUser(invitation: $user) { isMailed } }', {
      user: { email: 'nou@clinica.test', name: 'Nou', role: 'staff', features: ['admin::review-files'] },
    }),
  resendInvitation: async () =>
    run('mutation ($id: ID!) { resendInvitation(userId: $id) { link } }', {
      id: (await createPerson({ status: 'invited' })).id,
    }),
  'updateUser: role': () => update({ role: 'admin', features: [] }),
  'updateUser: a feature more': () => update({ features: ['patient::files', 'admin::review-files'] }),
  'updateUser: a feature less': () => update({ features: [] }, { features: ['patient::files'] }),
  'updateUser: address': () => update({ email: 'alta@clinica.test' }),
  'updateUser: institution': async () => {
    const [former, next] = [await makeInstitution(server.db), await makeInstitution(server.db)]
    const over = { role: 'institution', institutionIds: [former.id] } as const
    return update({ institutionIds: [former.id, next.id] }, over)
  },
  reactivateUser: async () =>
    run('mutation ($id: ID!) { reactivateUser(userId: $id) { id } }', {
      id: (await createPerson({ status: 'suspended' })).id,
    }),
  reactivateInstitution: async () =>
    run('mutation ($id: ID!) { reactivateInstitution(id: $id, version: 1) { id } }', {
      id: (await makeInstitution(server.db, { suspended_at: new Date() })).id,
    }),
  sendPasswordReset: async () =>
    run('mutation ($id: ID!) { sendPasswordReset(userId: $id) { id } }', { id: (await createPerson()).id }),
  removeSecondFactor: async () => {
    const { id } = await createPerson()
    await enableSecondFactor(server, { id })
    return run('mutation ($id: ID!) { removeSecondFactor(userId: $id) }', { id })
  },
  beginPasskey: async () => run('mutation { beginPasskey }', {}),
  addPasskey: async () => {
    const { beginPasskey } = await admin.runQuery('mutation { beginPasskey }')
    const response = createPasskey().create(beginPasskey)
    return run(ADD_PASSKEY, { response })
  },
  removePasskey: async () => {
    const { beginPasskey } = await admin.runQuery('mutation { beginPasskey }')
    const passkey = createPasskey()
    await admin.runQuery(ADD_PASSKEY, { response: passkey.create(beginPasskey) })
    const { id } = await server.db.selectFrom('passkey').select('id').executeTakeFirstOrThrow()
    return run('mutation ($id: ID!) { removePasskey(id: $id) }', { id })
  },
  newRecoveryCodes: async () => {
    await enableSecondFactor(server, admin)
    return run('mutation { newRecoveryCodes }', {})
  },
  'changePassword: beside a second factor': async () => {
    await enableSecondFactor(server, admin)
    return run(
      'mutation ($now: String!) { changePassword(current: $now, next: "altă parolă destul de lungă") }',
      {
        now: TEST_PASSWORD,
      },
    )
  },
  createApiKey: async () => run(CREATE_KEY, {}),
  revokeApiKey: async () => {
    const { createApiKey } = await admin.runQuery(CREATE_KEY)
    return run('mutation ($id: ID!) { revokeApiKey(id: $id) }', { id: createApiKey.apiKey.id })
  },
  createIntegration: async () => run(CREATE_INTEGRATION, { input: INTEGRATION }),
  updateIntegration: async () =>
    run(
      'mutation ($id: ID!, $input: IntegrationInput!) { updateIntegration(id: $id, version: 1, input: $input) { id } }',
      { id: await makeIntegration(), input: { ...INTEGRATION, submitsToReview: true } },
    ),
  revokeIntegration: async () =>
    run('mutation ($id: ID!) { revokeIntegration(id: $id) { id } }', { id: await makeIntegration() }),
  mergePatients: async () => run(MERGE, await patientsToMerge()),
  undoMerge: async () => {
    const { mergePatients } = await admin.runQuery(MERGE, await patientsToMerge())
    return run('mutation ($id: ID!) { undoMerge(id: $id) { uploadsToCheck } }', {
      id: mergePatients.merges[0].id,
    })
  },
  'planOperation: a download': async () =>
    run('mutation ($ids: [ID!]!) { planOperation(kind: download, selection: { ids: $ids }) { id } }', {
      ids: [(await makeEmptyUpload(server.db, { state: 'released' })).id],
    }),
  'saveSettings: second factor': () => save({ second_factor_required: ['institution'] }),
  'saveSettings: functions': () => save({ features: ['patient::files'] }),
  'saveSettings: session': () => save({ session_refresh_ms: 5_000 }),
  'saveSettings: address': () => save({ url: 'https://alta.exemplu.ro' }),
  'saveSettings: self-review': () => save({ self_review: true }),
  'saveSettings: active content': async () => {
    await upsertSettings(server.db, { upload_active_content: 'refuse' })
    return save({ upload_active_content: 'mark' })
  },
  'saveCategories: without review': () => saveOneCategory({ reviewRequired: false }),
  'saveCategories: fewer reviewers': () => saveOneCategory({ reviewers: 1 }),
  'saveCategories: released earlier': () => saveOneCategory({ release: 'after_hours', releaseHours: 2 }),
  'saveCategories: visible to patients': () => saveOneCategory({ visibleToPatients: true }),
  'saveCategories: a removal': () => saveOneCategory(null),
  'saveCategories: a new one without review': () =>
    saveOneCategory({}, [{ ...CATEGORY, slug: 'alta', reviewRequired: false }]),
  'saveSettings: with an ordinary one': () => save({ name: 'Clinica Nouă', share_days: 3 }),
  [`GET ${AUDIT_EXPORT_PATH}`]: async () => (client) => sendExport(client, AUDIT_EXPORT_PATH, {}),
  [`POST ${PATIENTS_EXPORT_PATH}`]: async () => (client) =>
    sendExport(client, PATIENTS_EXPORT_PATH, { method: 'POST', body: '{}' }),
  [`POST ${INSTITUTIONS_EXPORT_PATH}`]: async () => (client) =>
    sendExport(client, INSTITUTIONS_EXPORT_PATH, { method: 'POST', body: '{}' }),
  [`POST ${PATIENT_RECORDS_PATH}/:name{.+\\.zip}`]: async () => {
    const { id } = await makePatient(server.db)
    return (client) => sendExport(client, `${PATIENT_RECORDS_PATH}/${id}.zip`, { method: 'POST' })
  },
  [`POST ${UPLOADS_EXPORT_PATH}`]: async () => (client) =>
    sendExport(client, UPLOADS_EXPORT_PATH, { method: 'POST', body: '{}' }),
  [`POST ${LEDGER_EXPORT_PATH}`]: async () => {
    const body = JSON.stringify({ patientId: (await makePatient(server.db)).id })
    return (client) => sendExport(client, LEDGER_EXPORT_PATH, { method: 'POST', body })
  },
}

async function sendExport(client: TestClient, path: string, request: RequestInit) {
  const headers = { authorization: await client.authorization('export') }
  const response = await client.fetch(path, { ...request, headers })
  if (response.status === 200) return { code: undefined }
  expect(response.status).toBe(403)
  return { code: ((await response.json()) as { code: string }).code }
}

/** HTTP routes that change or export something and need no fresh proof. */
const ORDINARY_ROUTES = new Set([
  'POST /api/auth/signin/local',
  'POST /api/auth/:action{callback}/:provider{(?:local|link|second-factor|passkey)}',
  'POST /api/auth/:action{signout}',
  'POST /api/auth/passkey',
  'POST /api/auth/use',
  'POST /api/password-reset',
  'POST /api/intake',
  'POST /api/page-errors',
  'POST /api/patient-imports',
  'POST /api/site-images/:kind',
  'POST /graphql',
])

describe('an act that gives or takes away access', () => {
  const recorded = () =>
    server.db
      .selectFrom('audit_event')
      .where('action', 'not in', ['session.sign-in', 'session.sign-out'])
      .select(['id', 'action'])
      .execute()

  it.each(Object.keys(GRAVE))('%s is rejected without a fresh proof, and done with one', async (name) => {
    const act = await GRAVE[name]!()
    const before = await recorded()
    await ageProofs(LIMITS.freshProofSeconds)
    expect(await act(admin)).toEqual({ code: 'FRESH_PROOF_REQUIRED' })
    expect(await recorded()).toEqual(before)
    await ageProofs(0)
    expect(await act(admin)).toEqual({ code: undefined })
    if (name !== 'beginPasskey') expect((await recorded()).length).toBeGreaterThan(before.length)
  })

  it('is rejected for its missing right first, so that a proof is not asked for in vain', async () => {
    const { email } = await createPerson()
    const registrar = await server.signIn(email)
    await ageProofs(LIMITS.freshProofSeconds)
    const { errors } = await registrar.graphql(CREATE_KEY)
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
  })

  it('is known for every mutation, or the mutation is named here as ordinary', () => {
    const mutations = Object.keys(schema.getMutationType()!.getFields()).sort()
    const grave = Object.keys(GRAVE).flatMap((name) => (name.includes(' /') ? [] : [name.split(':')[0]!]))
    const listed = [...new Set(grave), ...ORDINARY, ...PROVED_INSIDE]
    expect(listed.sort()).toEqual(mutations)
  })

  it('is known for every route that writes, or the route is named here as ordinary', () => {
    const writing = server.app.routes
      .filter(
        ({ method, path }) =>
          ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && !path.startsWith('/files'),
      )
      .map(({ method, path }) => `${method} ${path}`)
    const known = (route: string) => ORDINARY_ROUTES.has(route) || Object.hasOwn(GRAVE, route)
    expect([...new Set(writing)].filter((route) => !known(route))).toEqual([])
    expect([...ORDINARY_ROUTES].filter((route) => !writing.includes(route))).toEqual([])
  })

  it('has every setting of access', async () => {
    const settings = Object.keys(siteSettings.shape)
    expect(ACCESS_SETTINGS.filter((name) => !settings.includes(name))).toEqual([])
    const act = await save({ name: 'Clinica Nouă' })
    await ageProofs(LIMITS.freshProofSeconds)
    expect(await act(admin)).toEqual({ code: undefined })
  })

  it('leaves stricter settings and categories, and new names, to a session without a fresh proof', async () => {
    const stricter = { reviewers: 2, release: 'by_hand', visibleToPatients: false }
    const acts = [
      await saveOneCategory({ retentionYears: 3 }),
      await saveOneCategory({}, [{ ...CATEGORY, slug: 'alta', ...stricter }]),
      await save({ upload_active_content: 'refuse' }),
    ]
    await ageProofs(LIMITS.freshProofSeconds)
    for (const act of acts) expect(await act(admin)).toEqual({ code: undefined })
  })

  it('leaves name, phone and post of an account to a session without a fresh proof', async () => {
    const act = await update({ name: 'Alt Nume', phone: '0721 000 000', jobTitle: 'asistent' })
    await ageProofs(LIMITS.freshProofSeconds)
    expect(await act(admin)).toEqual({ code: undefined })
  })
})

describe('a fresh proof', () => {
  it('counts for five minutes, in its session alone', async () => {
    const other = await server.signIn('sefa@clinica.test')
    await ageProofs(LIMITS.freshProofSeconds)
    await admin.runQuery(PROVE, { password: TEST_PASSWORD })
    expect((await admin.graphql(CREATE_KEY)).errors).toEqual([])
    expect((await other.graphql(CREATE_KEY)).errors[0]?.extensions.code).toBe('FRESH_PROOF_REQUIRED')
    await ageProofs(LIMITS.freshProofSeconds - 10)
    expect((await admin.graphql(CREATE_KEY)).errors).toEqual([])
  })

  it('needs the code of the second factor beside the password', async () => {
    const { nextCode } = await enableSecondFactor(server, admin)
    await ageProofs(LIMITS.freshProofSeconds)
    const fieldsOf = async (code?: string) =>
      (await admin.graphql(PROVE, { password: TEST_PASSWORD, code })).errors[0]?.extensions.fields?.map(
        ({ field }) => field,
      )
    expect(await fieldsOf()).toEqual(['code'])
    expect(await fieldsOf('000000')).toEqual(['code'])
    expect((await admin.graphql(CREATE_KEY)).errors[0]?.extensions.code).toBe('FRESH_PROOF_REQUIRED')
    const code = nextCode()
    expect(await fieldsOf(code)).toBeUndefined()
    expect((await admin.graphql(CREATE_KEY)).errors).toEqual([])
    await ageProofs(LIMITS.freshProofSeconds)
    expect(await fieldsOf(code)).toEqual(['code'])
  })

  it('is limited and recorded like a sign-in', async () => {
    await ageProofs(LIMITS.freshProofSeconds)
    for (let attempt = 1; attempt <= 6; attempt += 1) await admin.graphql(PROVE, { password: 'greșită' })
    expect((await admin.graphql(PROVE, { password: TEST_PASSWORD })).errors).toHaveLength(1)
    await server.db
      .updateTable('sign_in_throttle')
      .set({ last_failed_at: new Date(Date.now() - 60_000) })
      .execute()
    await admin.runQuery(PROVE, { password: TEST_PASSWORD })
    const rows = await server.db
      .selectFrom('audit_event')
      .where('action', 'like', 'account.proof%')
      .where('subject_id', '=', admin.id)
      .select(['action', 'outcome'])
      .orderBy('id')
      .execute()
    const failed = { action: 'account.proof-failed', outcome: 'failed' }
    expect(rows).toEqual([...Array(7).fill(failed), { action: 'account.proof', outcome: 'ok' }])
  })

  it('begins with the sign-in', async () => {
    const client = await server.signIn('sefa@clinica.test')
    await client.signIn('sefa@clinica.test')
    expect((await client.graphql(CREATE_KEY)).errors).toEqual([])
  })
})
