import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeCategory,
  makeEmptyUpload,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUser,
} from '../../../../db/factories.ts'
import { recordStatements } from '../../../../test/query-plans/record-statements.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../../test/test-server.ts'
import { newId } from '../../../platform/ids.ts'

const NAMES = [
  'category { slug name icon color }',
  'patient { id number name cnpMasked birthDate sex }',
  'institution { id name isSuspended }',
]
const COMMON = ['number', 'title', 'state', 'stateSince', 'examinedOn', 'accessionNumber', 'referringDoctor']
const DATES = [
  'releasedAt',
  'releaseAt',
  'isUpdate',
  'authorName',
  'isOwn',
  'fileCount',
  'openedAt',
  'version',
]
const CAN = 'can { addFiles submit withdraw edit decide accept removeFiles release correct replace move }'
const OF_STAFF = [
  'sentBy',
  'isDisagreeing',
  'policy { reviewers release releaseHours }',
  'firstAcceptance { reviewerName acceptedAt isOwn }',
  'note',
]
const FIELDS = [...COMMON, ...DATES, ...NAMES, CAN, ...OF_STAFF]
const MARKS = 'inbox { state isMine takenByName takenAt handledByName handledAt former { state name at } }'

const statements = recordStatements()
let server: TestServer
let reviewer: TestClient
let colleague: TestClient
let guest: TestClient
const institutions: { id: string }[] = []

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const { db } = server
  const staff = { features: ['admin::review-files', 'patient::files'] as const }
  const { id: reviewerId, ...first } = await makeUser(db, { features: [...staff.features] })
  reviewer = await server.signIn(first.email)
  const { id: authorId, email } = await makeUser(db, { features: [...staff.features] })
  colleague = await server.signIn(email)
  institutions.push(await makeInstitution(db), await makeInstitution(db))
  const sender = institutions[0]!
  const joined = { institutionIds: institutions.map(({ id }) => id), created_at: minutesAgo(60 * 24) }
  guest = await server.signIn((await makeUser(db, { role: 'institution', ...joined })).email)
  const { slug } = await makeCategory(db, { reviewers: 2 })
  for (const [index, institution] of institutions.entries()) {
    const patient = await makePatient(db, {
      surname: 'Pop',
      given_names: `Ana ${index}`,
      previous_surname: 'Ene',
    })
    await makeReferral(db, { patient_id: patient.id, institution_id: institution.id })
    const detailed = {
      patient_id: patient.id,
      institution_id: institution.id,
      category_slug: slug,
      created_by: authorId,
      examined_on: '2026-03-02',
      accession_number: `A-${index}`,
      referring_doctor: 'Dr. Ion',
      note: 'pentru colegi',
    }
    for (const minutes of [index, index + 10]) {
      const since = minutesAgo(minutes + 1)
      const waiting = await makeEmptyUpload(db, {
        ...detailed,
        state: 'in_review',
        state_since: since,
        source: 'institution',
        sender_institution_id: sender.id,
      })
      await db
        .insertInto('review')
        .values({
          id: newId(),
          upload_id: waiting.id,
          round: 1,
          verdict: 'accepted',
          reviewer_id: reviewerId,
          first_of_version: waiting.version,
        })
        .execute()
      const result = await makeEmptyUpload(db, {
        ...detailed,
        state: 'released',
        state_since: since,
        released_at: since,
        is_update: index === 0,
      })
      if (index === 0)
        await guest.runQuery(
          'mutation ($id: ID!) { markResults(ids: [$id], mark: take) { changed { id } } }',
          { id: result.id },
        )
    }
  }
})
afterAll(statements.stop)

const readsOfUploads = (sent: readonly string[]) => sent.filter((text) => text.includes('"upload"."number"'))

describe.each([
  ['the queue', 'uploads', () => [reviewer, colleague], FIELDS],
  ['an inbox', 'inbox', () => [guest], [...FIELDS, MARKS]],
] as const)('%s', (_name, list, readers, fields) => {
  it('has each field as the page of the upload has it', async () => {
    for (const reader of readers()) {
      for (const field of fields) {
        const { nodes } = (await reader.runQuery(`{ ${list} { nodes { id ${field} } } }`))[list]
        expect(nodes).toHaveLength(4)
        for (const node of nodes) {
          const { upload } = await reader.runQuery(
            `query ($id: ID!) { upload(id: $id) { id ${field} } }`,
            node,
          )
          // The page itself marks a result as opened.
          if (field !== 'openedAt') expect(node).toEqual(upload)
        }
      }
    }
  })

  it('has the same lines in the same order, page by page, whatever is selected', async () => {
    for (const reader of readers()) {
      const pagesOf = async (field: string, filter = '') => {
        const found: string[] = []
        let after: string | null = null
        do {
          const query = `query ($after: String) { ${list}(first: 1, after: $after ${filter}) { endCursor nodes { id ${field} } } }`
          const page: { endCursor: string | null; nodes: { id: string }[] } = (
            await reader.runQuery(query, { after })
          )[list]
          found.push(...page.nodes.map(({ id }) => id))
          after = page.endCursor
        } while (after)
        return found
      }
      const lines = await pagesOf('title')
      expect(lines).toHaveLength(4)
      expect(lines).toEqual(await pagesOf('version'))
      if (list !== 'inbox') continue
      // New results and those that were taken, from two indexes.
      const open = await pagesOf('title', 'view: open')
      expect(open).toHaveLength(4)
      expect(open).toEqual(await pagesOf('version', 'view: open'))
    }
  })
})

it('the queue and an inbox read only what their lines show, the inbox with its marks', async () => {
  for (const [reader, query] of [
    [
      reviewer,
      `{ uploads { nodes { id title ${OF_STAFF.slice(0, 4).join(' ')} ${CAN} ${NAMES.join(' ')} } } }`,
    ],
    [guest, `{ inbox(ownDepartments: true) { nodes { id title openedAt ${MARKS} ${NAMES.join(' ')} } } }`],
  ] as const) {
    const sent = await statements.during(() => reader.runQuery(query))
    expect(readsOfUploads(sent)).toHaveLength(1)
    expect(readsOfUploads(sent)[0]).not.toMatch(/"upload"\.\*|"note"/)
    expect(sent.filter((text) => text.includes('"inbox_item"'))).toHaveLength(reader === guest ? 1 : 0)
  }
})
