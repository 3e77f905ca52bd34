import { isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitution, makePatient, makeReferral, makeUser } from '../db/factories.ts'
import { FEATURES, type Feature } from '../shared/access/features.ts'
import { createTestServer, type TestClient, type TestServer } from '../test/test-server.ts'
import { schema } from './schema.ts'

/**
 * What each feature opens [3.2]: operations with valid arguments, which return something other than
 * FORBIDDEN. The test below fails when the schema has an operation that is missing here.
 */
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'
/** A patient that all users of this test may see. */
const PATIENT = '00000000-0000-7000-8000-000000000001'
const OPERATIONS: Record<Feature, Record<string, string>> = {
  'patient::share': {},
  'patient::news': {},
  'patient::files': {
    'Patient.uploads': `{ patient(id: "${PATIENT}") { uploads { endCursor } } }`,
    'Query.inbox': '{ inbox { endCursor } }',
    'Query.myUploads': '{ myUploads(states: [in_review]) { endCursor } }',
    'Mutation.createUpload': `mutation { createUpload(upload: { title: "", patientId: "${PATIENT}" }) { id } }`,
  },
  'admin::remove-files': {
    'Mutation.removeFile': `mutation { removeFile(id: "${UNKNOWN_ID}", reason: "Greșit") { id } }`,
    'Mutation.restoreFile': `mutation { restoreFile(id: "${UNKNOWN_ID}") { id } }`,
  },
  'admin::review-files': {
    'Query.uploads': '{ uploads { endCursor } }',
    'Query.dashboard': '{ dashboard { released } }',
    'Mutation.acceptUpload': `mutation { acceptUpload(id: "${UNKNOWN_ID}", version: 1) { id } }`,
    'Mutation.releaseUpload': `mutation { releaseUpload(id: "${UNKNOWN_ID}", version: 1) { id } }`,
    'Mutation.returnUpload': `mutation { returnUpload(id: "${UNKNOWN_ID}", version: 1) { id } }`,
    'Mutation.rejectUpload': `mutation { rejectUpload(id: "${UNKNOWN_ID}", version: 1, reason: "other", comment: "x") { id } }`,
  },
  'profile::institution': {
    'Query.ownInstitutions': '{ ownInstitutions { id } }',
    'Mutation.updateOwnInstitution': `mutation { updateOwnInstitution(id: "${UNKNOWN_ID}", version: 1, profile: { delivery: none }) { id } }`,
  },
}
/** The operations that are only for users of institutions. */
const OF_INSTITUTIONS: ReadonlySet<string> = new Set([
  'Query.inbox',
  ...Object.keys(OPERATIONS['profile::institution']),
])
const operations = Object.entries(OPERATIONS).flatMap(([feature, queries]) =>
  Object.entries(queries).map(([name, query]) => ({ feature: feature as Feature, name, query })),
)

/** The fields of the schema by the feature that they require. */
function gatedFields(): Map<string, string[]> {
  const gated = new Map<string, string[]>(FEATURES.map((feature) => [feature, []]))
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const { name, extensions } of Object.values(type.getFields())) {
      const { authScopes } = (extensions.pothosOptions ?? {}) as {
        authScopes?: { feature?: string; $all?: { feature?: string } }
      }
      const feature = authScopes?.feature ?? authScopes?.$all?.feature
      if (feature) gated.get(feature)?.push(`${type.name}.${name}`)
    }
  }
  return gated
}

it('every operation behind a feature is in the table', () => {
  const inTable = Object.entries(OPERATIONS).map(([feature, queries]) => [
    feature,
    Object.keys(queries).sort(),
  ])
  expect([...gatedFields()].map(([feature, names]) => [feature, names.sort()])).toEqual(inTable)
})

let server: TestServer
let staff: TestClient
let institution: TestClient
let admin: TestClient
const signIn = async (over: Parameters<typeof makeUser>[1]) =>
  server.signIn((await makeUser(server.db, over)).email)

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { id } = await makeInstitution(server.db)
  await makePatient(server.db, { id: PATIENT })
  await makeReferral(server.db, { patient_id: PATIENT, institution_id: id })
  staff = await signIn({ features: [...FEATURES] })
  institution = await signIn({ role: 'institution', institutionIds: [id] })
  admin = await signIn({ role: 'admin' })
})

const setSite = (features: readonly Feature[]) =>
  server.db
    .insertInto('site_setting')
    .values({ key: 'features', value: JSON.stringify(features) })
    .onConflict((on) => on.column('key').doUpdateSet({ value: JSON.stringify(features) }))
    .execute()

describe.each(operations)('$feature: $name', ({ feature, name, query }) => {
  const isRefused = async (client: TestClient) => {
    const { status, errors } = await client.graphql(query)
    // The query itself is valid.
    expect(status).toBe(200)
    return errors.some(({ extensions }) => extensions.code === 'FORBIDDEN')
  }
  /** A user who has the feature, while the site has it. */
  const holders = () => {
    if (OF_INSTITUTIONS.has(name)) return [institution]
    return name === 'Patient.uploads' ? [staff, admin, institution] : [staff, admin]
  }
  const others = FEATURES.filter((each) => each !== feature)

  it('is open to a user with the feature, and to no other staff [3.2] [6.4]', async () => {
    await setSite(FEATURES)
    for (const client of holders()) expect(await isRefused(client)).toBe(false)
    expect(await isRefused(await signIn({ features: others }))).toBe(true)
  })

  it('is denied to all while the site has the feature off, and open again after it [3.2] [6.4]', async () => {
    await setSite(others)
    for (const client of [staff, admin, institution]) expect(await isRefused(client)).toBe(true)
    await setSite(FEATURES)
    for (const client of holders()) expect(await isRefused(client)).toBe(false)
  })
})
