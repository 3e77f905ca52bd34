import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FileToMake,
  makeCategory,
  makeFile,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
  makeUser,
} from '../../../db/factories.ts'
import { makeCnp, maskCnp } from '../../../shared/romania/cnp.ts'
import type { FileFact } from '../../../shared/uploads/file-facts.ts'
import { readShownHolds } from '../../../test/documents.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'
import { replaceFacts } from '../uploads/inspection/facts.db.ts'

const ACCEPT = `mutation ($id: ID!, $version: Int!, $openedFileIds: [ID!], $shownHolds: [ShownHoldInput!], $reason: String, $comment: String) {
  acceptUpload(id: $id, version: $version, openedFileIds: $openedFileIds, shownHolds: $shownHolds, reason: $reason, comment: $comment) {
    state version reviews { reasonCode comment holds { kind what value fileName } } } }`
const RELEASE = 'mutation ($id: ID!, $version: Int!) { releaseUpload(id: $id, version: $version) { state } }'

let server: TestServer
let reviewer: TestClient & { id: string }
let second: TestClient
let institutionId: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const features = ['admin::review-files' as const, 'patient::files' as const]
  const { id, email } = await makeUser(server.db, { name: 'Ana Pop', features })
  reviewer = { ...(await server.signIn(email)), id }
  second = await server.signIn((await makeUser(server.db, { features })).email)
  institutionId = (await makeInstitution(server.db)).id
})

const OTHER_CNP = makeCnp({ sex: 'male', birthDate: '1966-06-06', county: 12, serial: 66 })
const inText = (kind: FileFact['kind'], value: string): FileFact => ({
  kind,
  value,
  place: { in: 'text', page: 1 },
})

type Made = Awaited<ReturnType<typeof makeUpload>>

/** Makes an upload whose one file confirms its patient. */
async function makeConfirmed(
  over: Parameters<typeof makeUpload>[2],
  policy: Parameters<typeof makeCategory>[1] = {},
) {
  const patient = await makePatient(server.db, { surname: 'Mureșan', given_names: 'Ioana' })
  await makeReferral(server.db, { patient_id: patient.id, institution_id: institutionId })
  const { slug } = await makeCategory(server.db, policy)
  const text = `CNP ${patient.cnp}`
  const file: FileToMake = {
    bytes: Buffer.from(text),
    name: 'buletin.txt',
    kind: 'other',
    content_text: text,
    facts: { wholeText: true } as never,
  }
  const upload = await makeUpload(server.db, server.services.storage, {
    patient_id: patient.id,
    institution_id: institutionId,
    category_slug: slug,
    files: [file],
    ...over,
  })
  const facts = [
    inText('cnp', patient.cnp!),
    inText('name', 'Mureșan Ioana'),
    inText('birth-date', patient.birth_date!),
  ]
  await replaceFacts(server.db, upload.files[0]!.id, facts)
  return upload
}

/** Adds the acceptance of the reviewer, who had all present files open. */
async function recordAcceptance({ id, files }: Made) {
  await server.db
    .insertInto('review')
    .values({
      id: newId(),
      upload_id: id,
      round: 1,
      reviewer_id: reviewer.id,
      verdict: 'accepted',
      opened_file_ids: files.map((file) => file.id),
    })
    .execute()
}

const stateOf = async (id: string) =>
  (await server.db.selectFrom('upload').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
const runJob = async (name: 'release-due-uploads' | 'accept-by-policy', payload: object) => {
  await server.services.jobs.enqueue(server.db, name, payload as never)
  await server.runJobs()
}

type Path = {
  /** Makes the upload in the state in which the path finds it. */
  make(): Promise<Made>
  /** Takes the path; the reviewer's screen has shown the files of the moment when the upload was made. */
  take(upload: Made): Promise<unknown>
  /** The state of an upload that is held. */
  held: string
}

/** Every path to `accepted` and `released`, by the file that asks the gate. */
const PATHS: Record<string, Path> = {
  'decide-upload.ts': {
    make: () => makeConfirmed({}),
    take: ({ id, files }) =>
      reviewer.graphql(ACCEPT, { id, version: 1, openedFileIds: files.map((file) => file.id) }),
    held: 'in_review',
  },
  'accept-by-policy.ts': {
    make: () => makeConfirmed({}, { review_required: false }),
    take: ({ id }) => runJob('accept-by-policy', { uploadId: id }),
    held: 'in_review',
  },
  'release-upload.ts': {
    make: async () => {
      const upload = await makeConfirmed({ state: 'accepted' }, { release: 'by_hand' })
      await recordAcceptance(upload)
      return upload
    },
    take: ({ id }) => reviewer.graphql(RELEASE, { id, version: 1 }),
    held: 'accepted',
  },
  'release-due-uploads.ts': {
    make: async () => {
      const upload = await makeConfirmed({ state: 'accepted', release_at: new Date(0) })
      await recordAcceptance(upload)
      return upload
    },
    take: () => runJob('release-due-uploads', {}),
    held: 'in_review',
  },
}

/** Changes that the gate holds an upload for, with the sentence for the reviewer. */
const CHANGES: [string, string, (upload: Made) => Promise<unknown>][] = [
  [
    'another CNP',
    'Nu se potrivește (CNP): „buletin.txt”.',
    (upload) => addFact(upload, inText('cnp', OTHER_CNP)),
  ],
  [
    'another CNP, found before facts were saved',
    'Nu se potrivește (CNP): „buletin.txt”.',
    async ({ files }) => {
      await replaceFacts(server.db, files[0]!.id, [])
      const cnps = JSON.stringify({ found: [OTHER_CNP], isCut: false, only: OTHER_CNP })
      await server.db.updateTable('file').set({ cnps }).where('id', '=', files[0]!.id).execute()
    },
  ],
  [
    'another name',
    'Nu se potrivește (Nume): „buletin.txt”.',
    (upload) => addFact(upload, inText('name', 'Țăranu Vlad')),
  ],
  [
    'another birth date',
    'Nu se potrivește (Data nașterii): „buletin.txt”.',
    (upload) => addFact(upload, inText('birth-date', '1931-02-03')),
  ],
  ...[
    { unreadable: 'locked' },
    { unreadable: 'damaged' },
    { unreadable: 'too-large' },
    { unreadable: 'entries' },
  ].map((facts): [string, string, (upload: Made) => Promise<unknown>] => [
    `a file with ${JSON.stringify(facts)}`,
    'Nu se poate citi automat: „buletin.txt”.',
    ({ files }) =>
      server.db
        .updateTable('file')
        .set({ facts: JSON.stringify({ wholeText: true, ...facts }) })
        .where('id', '=', files[0]!.id)
        .execute(),
  ]),
  ...[{ reading: 'incomplete' }, { factsCut: true }, { unreadEntries: { count: 1, names: ['a.png'] } }].map(
    (facts): [string, string, (upload: Made) => Promise<unknown>] => [
      `a file with ${JSON.stringify(facts)}`,
      'Citit numai în parte: „buletin.txt”.',
      ({ files }) =>
        server.db
          .updateTable('file')
          .set({ facts: JSON.stringify({ wholeText: true, ...facts }) })
          .where('id', '=', files[0]!.id)
          .execute(),
    ],
  ),
  [
    'a file that nobody has opened',
    'Neprivit: „scan.png”.',
    ({ id }) =>
      makeFile(server.db, server.services.storage, {
        upload_id: id,
        bytes: Buffer.from('fără text'),
        name: 'scan.png',
        kind: 'image',
      }),
  ],
]

async function addFact({ files }: Made, fact: FileFact, position = 9) {
  await server.db
    .insertInto('file_fact')
    .values({
      file_id: files[0]!.id,
      position,
      kind: fact.kind,
      value: fact.value,
      place: JSON.stringify(fact.place),
    })
    .execute()
}

describe.each(Object.entries(PATHS))('the path to release in %s', (_file, { make, take, held }) => {
  it('releases an upload whose files agree with the patient and were opened', async () => {
    const upload = await make()
    await take(upload)
    expect(await stateOf(upload.id)).toBe('released')
  })

  it.each(CHANGES)('holds an upload with %s', async (_what, _sentence, change) => {
    const upload = await make()
    await change(upload)
    await take(upload)
    expect(await stateOf(upload.id)).toBe(held)
  })

  it('holds an upload without files', async () => {
    const upload = await make()
    await server.db
      .updateTable('file')
      .set({ removed_at: new Date() })
      .where('upload_id', '=', upload.id)
      .execute()
    await take(upload)
    expect(await stateOf(upload.id)).toBe(held)
  })

  it('holds an upload whose patient is corrected to no CNP and another birth date', async () => {
    const upload = await make()
    const patient = { cnp: null, birth_date: '1966-06-06' }
    await server.db.updateTable('patient').set(patient).where('id', '=', upload.patient_id!).execute()
    await take(upload)
    expect(await stateOf(upload.id)).toBe(held)
  })
})

it('every path to accepted and released is in the table above, and asks the gate', () => {
  const sources = globSync('server/**/*.ts')
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ name: basename(path), text: readFileSync(path, 'utf8') }))
  const namesWith = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)
  // The forecast of an operation asks the gate and moves nothing.
  expect(namesWith(/await canRelease\(/).sort()).toEqual([...Object.keys(PATHS), 'forecast.ts'].sort())
  // Without a clearance, which only the gate makes, no function moves an upload to these states.
  expect(namesWith(/new Clearance\(/)).toEqual(['can-release.ts'])
  expect(namesWith(/await updateUploadState\(/)).toEqual(['move-upload.ts'])
  const movers = namesWith(/(await|return|=>) moveCleared\(/)
  expect(movers.filter((name) => !(name in PATHS))).toEqual(['apply-release-policy.ts', 'release-cleared.ts'])
  const releasers = namesWith(/await (applyReleasePolicy|releaseCleared)\(/)
  expect(releasers.filter((name) => !(name in PATHS))).toEqual(['apply-release-policy.ts'])
  // A request for access has a state of the same name.
  expect(namesWith(/state: 'released'|state: 'accepted'|update upload set state/)).toEqual([
    'access-requests.db.ts',
  ])
})

describe('an acceptance', () => {
  const opened = ({ files }: Made) => files.map((file) => file.id)

  it.each(CHANGES)(
    'with %s names it to the reviewer, and needs a reason and a line',
    async (_what, sentence, change) => {
      const upload = await makeConfirmed({})
      await change(upload)
      const shownHolds = await readShownHolds(reviewer, upload.id)
      const input = { id: upload.id, version: 1, openedFileIds: opened(upload), shownHolds }
      for (const [more, fields] of [
        [{}, ['holds', 'reason', 'comment']],
        [{ reason: 'typing-error' }, ['holds', 'comment']],
        [{ reason: 'typing-error', comment: '  ' }, ['holds', 'comment']],
        [{ comment: 'da' }, ['holds', 'reason']],
        [{ reason: 'ceva', comment: 'da' }, ['reason']],
      ] as const) {
        const { errors } = await reviewer.graphql(ACCEPT, { ...input, ...more })
        expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
        expect([...new Set(errors[0]?.extensions.fields?.map(({ field }) => field))]).toEqual(fields)
        if (fields[0] === 'holds') expect(errors[0]?.message).toContain(sentence)
      }
      const reason = { reason: 'typing-error', comment: 'Data este greșită în antet.' }
      const { data } = await reviewer.graphql(ACCEPT, { ...input, ...reason })
      expect(data.acceptUpload).toMatchObject({
        state: 'released',
        reviews: [{ reasonCode: 'typing-error', comment: reason.comment }],
      })
      expect(data.acceptUpload.reviews[0].holds.length).toBeGreaterThan(0)
      const entry = await server.db
        .selectFrom('audit_event')
        .select('changes')
        .where('subject_id', '=', upload.id)
        .where('action', '=', 'upload.accept')
        .executeTakeFirstOrThrow()
      expect(entry.changes).toMatchObject({
        holds: { to: expect.arrayContaining([sentence]) },
        accept_reason: { to: 'typing-error' },
        reason: { to: reason.comment },
      })
      expect(JSON.stringify(entry)).not.toContain(OTHER_CNP)
    },
  )

  it('whose reason was given for other holds is a conflict that names the present ones', async () => {
    const upload = await makeConfirmed({})
    await addFact(upload, inText('name', 'Țăranu Vlad'))
    const reason = { reason: 'name-changed', comment: 'S-a căsătorit.' }
    const shown = await readShownHolds(reviewer, upload.id)
    expect(shown).toMatchObject([{ kind: 'disagrees', what: 'name', value: 'Țăranu Vlad' }])
    // Read meanwhile, in the same file.
    await addFact(upload, inText('cnp', OTHER_CNP), 10)
    const input = { id: upload.id, version: 1, openedFileIds: opened(upload), ...reason }
    const [first] = shown
    for (const shownHolds of [
      shown,
      [],
      null,
      [...shown, { ...first, what: 'cnp' }],
      [...shown, { kind: 'disagrees', what: 'cnp', value: maskCnp(OTHER_CNP), fileId: 'altul' }],
      [...shown, { kind: 'disagrees', what: 'cnp', value: '*********0000', fileId: upload.files[0]!.id }],
    ]) {
      const { errors } = await reviewer.graphql(ACCEPT, { ...input, shownHolds })
      expect(errors[0]?.extensions).toMatchObject({
        code: 'CONFLICT',
        fields: [
          { field: 'holds', message: 'Nu se potrivește (CNP): „buletin.txt”.' },
          { field: 'holds', message: 'Nu se potrivește (Nume): „buletin.txt”.' },
        ],
      })
    }
    const bad = await reviewer.graphql(ACCEPT, { ...input, shownHolds: [{ ...first, kind: 'ceva' }] })
    expect(bad.errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(await stateOf(upload.id)).toBe('in_review')
    const shownHolds = await readShownHolds(reviewer, upload.id)
    await reviewer.runQuery(ACCEPT, { ...input, shownHolds })
    expect(await stateOf(upload.id)).toBe('released')
  })

  it('stores no reason where nothing was held', async () => {
    const upload = await makeConfirmed({})
    const input = { id: upload.id, version: 1, openedFileIds: opened(upload), reason: 'other', comment: 'da' }
    const { data } = await reviewer.graphql(ACCEPT, input)
    expect(data.acceptUpload.reviews).toEqual([{ reasonCode: null, comment: null, holds: [] }])
  })

  it('is rejected with a file of another upload among the opened ones', async () => {
    const [upload, other] = [await makeConfirmed({}), await makeConfirmed({})]
    for (const id of [other.files[0]!.id, 'x']) {
      const input = { id: upload.id, version: 1, openedFileIds: [...opened(upload), id] }
      const { errors } = await reviewer.graphql(ACCEPT, input)
      expect(errors[0]?.extensions.fields?.map(({ field }) => field)).toEqual(['openedFileIds'])
    }
    expect(await stateOf(upload.id)).toBe('in_review')
  })

  it('by the second reviewer needs their own openings, and shows them the reason of the first', async () => {
    const upload = await makeConfirmed({}, { reviewers: 2 })
    await addFact(upload, inText('cnp', OTHER_CNP))
    const input = {
      id: upload.id,
      openedFileIds: opened(upload),
      shownHolds: await readShownHolds(reviewer, upload.id),
      reason: 'companion',
      comment: 'CNP-ul mamei',
    }
    await reviewer.runQuery(ACCEPT, { ...input, version: 1 })
    const seen = await second.runQuery(
      'query ($id: ID!) { upload(id: $id) { reviews { reasonCode comment holds { kind what value fileName } } } }',
      { id: upload.id },
    )
    expect(seen.upload.reviews).toEqual([
      {
        reasonCode: 'companion',
        comment: 'CNP-ul mamei',
        holds: [{ kind: 'disagrees', what: 'cnp', value: maskCnp(OTHER_CNP), fileName: 'buletin.txt' }],
      },
    ])
    const { errors } = await second.graphql(ACCEPT, { id: upload.id, version: 2, openedFileIds: [] })
    expect(errors[0]?.message).toContain('Neprivit')
    expect(errors[0]?.message).toContain('Nu se potrivește (CNP)')
    await second.runQuery(ACCEPT, { ...input, version: 2 })
    expect(await stateOf(upload.id)).toBe('released')
  })
})

describe('a release after an acceptance with a reason', () => {
  async function acceptWithReason() {
    const upload = await makeConfirmed({}, { release: 'by_hand' })
    await addFact(upload, inText('cnp', OTHER_CNP))
    const openedFileIds = upload.files.map((file) => file.id)
    const reason = { reason: 'companion', comment: 'CNP-ul mamei' }
    const shownHolds = await readShownHolds(reviewer, upload.id)
    await reviewer.runQuery(ACCEPT, { id: upload.id, version: 1, openedFileIds, shownHolds, ...reason })
    expect(await stateOf(upload.id)).toBe('accepted')
    return upload
  }

  it('is not held for what the reason covers', async () => {
    const { id } = await acceptWithReason()
    expect((await reviewer.graphql(RELEASE, { id, version: 2 })).errors).toEqual([])
  })

  it('is held for a further disagreement', async () => {
    const { id, patient_id } = await acceptWithReason()
    await server.db.updateTable('patient').set({ surname: 'Țăranu' }).where('id', '=', patient_id!).execute()
    const { errors } = await reviewer.graphql(RELEASE, { id, version: 2 })
    expect(errors[0]?.extensions.code).toBe('CONFLICT')
  })

  it('reads the CNPs that a verdict of before the gate was given for', async () => {
    const { id, files } = await acceptWithReason()
    const checks = [
      { fileId: files[0]!.id, fileName: 'a', cnpMasked: `2******${OTHER_CNP.slice(-6)}`, isCut: false },
    ]
    await server.db
      .updateTable('review')
      .set({ checks: JSON.stringify(checks), opened_file_ids: null })
      .where('upload_id', '=', id)
      .execute()
    expect((await reviewer.graphql(RELEASE, { id, version: 2 })).errors).toEqual([])
  })
})
