import { sql } from 'kysely'
import { makeEmptyUpload, makePatient, makeUser } from '../../db/factories.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'

/** A query that a screen sends, and the address of the account that sends it. */
export type PlanCase = {
  as: string
  query: string
  variables?: Record<string, unknown>
  /** A further cookie of the client. */
  cookie?: [name: string, value: string]
}

const ADMIN = 'admin@dosar.test'
const REVIEWER = 'verificare@dosar.test'
const REGISTRAR = 'registratura@dosar.test'
/** An account of the institution with the most uploads. */
const LARGE = 'institutia1@dosar.test'
const SMALL = 'cea-mai-mica@dosar.test'
const SEVERAL = 'mai-multe@dosar.test'

/** Returns a cursor as lists return it, to any position. */
const cursorTo = (...keys: (string | Date)[]) =>
  Buffer.from(JSON.stringify(keys.map((key) => (key instanceof Date ? key.toISOString() : key)))).toString(
    'base64url',
  )

/** Adds an account of the institution with the fewest referrals, and one of several institutions. */
async function addAccounts(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select institution_id as id from referral group by 1 order by count(*), 1`.execute(db)
  const ids = rows.map(({ id }) => id)
  const several = [ids.at(-1)!, ids.at(-2)!, ids[0]!]
  for (const [email, institutionIds] of [
    [SMALL, ids.slice(0, 1)],
    [SEVERAL, several],
  ] as const) {
    const found = await db.selectFrom('app_user').select('id').where('email', '=', email).executeTakeFirst()
    if (!found) await makeUser(db, { email, role: 'institution', institutionIds })
  }
}

/** Adds an incident of the upload with a request to the institution, once; returns its id. */
async function addIncident(db: Db, uploadId: string, institutionId: string): Promise<string> {
  const found = await db.selectFrom('incident').select('id').executeTakeFirst()
  if (found) return found.id
  const { patient_id, created_by, number } = await db
    .selectFrom('upload')
    .select(['patient_id', 'created_by', 'number'])
    .where('id', '=', uploadId)
    .executeTakeFirstOrThrow()
  const at = new Date()
  const id = newId()
  await db
    .insertInto('incident')
    .values({
      id,
      upload_id: uploadId,
      former_patient_id: patient_id!,
      patient_id: patient_id!,
      file_count: 1,
      released_at: at,
      moved_at: at,
      moved_by: created_by!,
      reason: 'Alt pacient',
      discovered_at: at,
      openings: '[]',
    })
    .execute()
  await db
    .insertInto('deletion_request')
    .values({
      id: newId(),
      incident_id: id,
      institution_id: institutionId,
      upload_number: number,
      released_at: at,
      mailed: 0,
      created_at: at,
    })
    .execute()
  return id
}

/** Requests for access and questions that are added. */
const REQUESTS = 3_000

/** Adds requests for access and questions of the institution, with a few that are open, once. */
async function addRequests(db: Db, institutionId: string): Promise<void> {
  if (await db.selectFrom('access_request').select('id').executeTakeFirst()) return
  await sql`insert into access_request
      (id, institution_id, created_by, created_at, surname, given_names, birth_date, purpose, state, decided_at, decided_by, refusal)
    select gen_random_uuid(), ${institutionId}::uuid, author.id, now() - number * interval '1 minute', 'Popescu', 'Maria',
      '1980-01-01', 'Control', case when is_open then 'sent' else 'refused' end,
      case when not is_open then now() end, case when not is_open then author.id end, case when not is_open then 'neutral' end
    from (select number, number % 30 = 0 as is_open from generate_series(1, ${REQUESTS}::int) number) each
      cross join (select id from app_user limit 1) author`.execute(db)
  await sql`with about as (
      select id, patient_id, number, row_number() over (order by id) % 30 = 0 as is_open from upload
      where institution_id = ${institutionId}::uuid and state = 'released' limit ${REQUESTS}::int)
    insert into question (id, upload_id, institution_id, patient_id, upload_number, created_at, changed_at, state,
      waiting_since, message_count, unread)
    select id, id, ${institutionId}::uuid, patient_id, number, now(), now(), case when is_open then 'open' else 'answered' end,
      case when is_open then now() end, 1, is_open from about`.execute(db)
  await sql`insert into question_message (question_id, position, by_organisation, created_by, created_at, text)
    select question.id, 1, false, author.id, now(), 'Ce este?' from question cross join (select id from app_user limit 1) author`.execute(
    db,
  )
  await sql`analyze access_request, question, question_message`.execute(db)
}

/** Adds one entry about each of these many patients, and a few of every kind about this one, once. */
async function addNews(db: Db, patientId: string): Promise<void> {
  if (await db.selectFrom('news').select('id').executeTakeFirst()) return
  await sql`with about as (
      (select id from patient limit ${REQUESTS}::int) union all (select ${patientId}::uuid from generate_series(1, 20)))
    insert into news (id, patient_id, kind, text, visibility, created_by, created_at, written_by, written_at, removed_at, removed_by)
    select gen_random_uuid(), about.id, 'warning', 'Alergie', case when random() < 0.5 then 'staff' else 'institution' end,
      author.id, now(), author.id, now(), null, null
    from about cross join (select id from app_user limit 1) author`.execute(db)
  await sql`insert into news_reading (news_id, user_id, revision, read_at)
    select news.id, app_user.id, 1, now() from news cross join (select id from app_user limit 3) app_user`.execute(
    db,
  )
  await sql`analyze news, news_reading`.execute(db)
}

/** Adds shares of the patient of the upload and of many others, of which few have not ended, once; returns one. */
async function addShares(db: Db, uploadId: string) {
  if (!(await db.selectFrom('share').select('id').executeTakeFirst())) {
    await sql`insert into share (id, patient_id, created_by, created_at, recipient_kind, recipient_name, channel, proof, token_hash,
        expires_at, reason, ended_at, ended_why)
      select upload.id, patient_id, maker.id, upload.created_at, 'doctor', 'Dr. Pop', 'link', 'birth_date', sha256(upload.id::text::bytea),
        now() + interval '1 day', 'Consult', case when not is_open then now() end, case when not is_open then 'person' end
      from (select *, id = ${uploadId}::uuid or row_number() over (order by id) % 50 = 0 as is_open from upload
        where patient_id is not null order by id = ${uploadId}::uuid desc limit ${REQUESTS}::int) upload
      cross join (select id from app_user where email = ${ADMIN}) maker`.execute(db)
    await sql`insert into share_session (id, share_id, token_hash, created_at, expires_at)
      select id, id, sha256(('sesiune-' || id)::bytea), now(), expires_at from share`.execute(db)
    await sql`insert into share_upload (share_id, upload_id, added_at) select id, id, now() from share`.execute(
      db,
    )
    await sql`insert into share_event (id, share_id, kind, at) select gen_random_uuid(), id, 'wrong_proof', now() from share`.execute(
      db,
    )
    await sql`analyze share, share_upload, share_session, share_event`.execute(db)
  }
  return db
    .selectFrom('share')
    .select(['id', 'patient_id', 'created_at'])
    .where('id', '=', uploadId)
    .executeTakeFirstOrThrow()
}

/** Adds mail of which little is undelivered, and shares of one maker of which few were locked, once. */
async function addFailures(db: Db): Promise<void> {
  if (await db.selectFrom('message').select('id').where('subject', '=', 'Planuri').executeTakeFirst()) return
  await sql`insert into message (id, recipient, kind, subject, state, last_error, caused_by, created_at)
    select gen_random_uuid(), 'medic@exemplu.ro', 'share', 'Planuri', case when number % 30 = 0 then 'failed' else 'sent' end,
      case when number % 30 = 0 then '550' end, author.id, now() - number * interval '1 minute'
    from generate_series(1, ${REQUESTS}::int) number
      cross join (select id from app_user where email = ${ADMIN}) author`.execute(db)
  await sql`update share set locked_until = now() where ended_at is null`.execute(db)
  await sql`analyze message, share`.execute(db)
}

/** Adds announcements of the institution's results to one of its users, once. */
async function addAnnouncements(db: Db, institutionId: string): Promise<void> {
  await sql`insert into announcement (upload_id, institution_id, user_id, kind, released_at)
    select upload.id, institution_id, reader.user_id, 'new', released_at from upload
      cross join (select user_id from user_institution where institution_id = ${institutionId}::uuid limit 1) reader
    where institution_id = ${institutionId}::uuid and state = 'released' and released_at is not null limit 5000
    on conflict do nothing`.execute(db)
  await sql`analyze announcement`.execute(db)
}

/** Adds a thousand recalls of the institution, nearly all acknowledged long ago, and one of the upload, once. */
async function addRecalls(db: Db, uploadId: string, institutionId: string): Promise<void> {
  await sql`insert into recall (id, upload_id, institution_id, kind, recalled_at, patient_id, upload_number, title, released_at,
      openings, acknowledged_at, acknowledged_by, shown_until)
    select gen_random_uuid(), upload.id, ${institutionId}::uuid, 'withdrawn', state_since, patient_id, number, title, created_at,
      '[]', case when not is_open then created_at end, case when not is_open then created_by end,
      case when is_open then 'infinity' else created_at end
    from (select *, id = ${uploadId}::uuid as is_open from upload where patient_id is not null
      order by id = ${uploadId}::uuid desc limit 1000) upload
    on conflict do nothing`.execute(db)
}

/** Merges a new patient into another; returns the id of the merge. */
async function addMerge(db: Db, mergedBy: string): Promise<string> {
  const survivor = await makePatient(db)
  const merged = await makePatient(db, { merged_into: survivor.id, cnp: null })
  const id = newId()
  await db
    .insertInto('patient_merge')
    .values({
      id,
      survivor_id: survivor.id,
      merged_id: merged.id,
      upload_ids: [],
      referral_ids: [],
      changes: '{}',
      merged_by: mergedBy,
      merged_at: new Date(),
    })
    .execute()
  return id
}

/** Adds an operation that has changed the upload a thousand times, once; returns its id. */
async function addOperation(db: Db, uploadId: string): Promise<string> {
  const found = await db.selectFrom('operation').select('id').executeTakeFirst()
  if (found) return found.id
  const { created_by, number } = await db
    .selectFrom('upload')
    .select(['created_by', 'number'])
    .where('id', '=', uploadId)
    .executeTakeFirstOrThrow()
  const id = newId()
  await db
    .insertInto('operation')
    .values({
      id,
      created_by: created_by!,
      kind: 'title',
      parameters: JSON.stringify({ target: 'RM' }),
      state: 'done',
      total: 1_000,
      created_at: new Date(),
    })
    .execute()
  const items = Array.from({ length: 1_000 }, (_, position) => ({
    operation_id: id,
    position,
    upload_id: uploadId,
    number,
    outcome: 'changed' as const,
  }))
  await db.insertInto('operation_item').values(items).execute()
  return id
}

/** Adds a batch of the author with many groups, once; returns its id. */
async function addBatch(db: Db, authorId: string, patientId: string): Promise<string> {
  const found = await db.selectFrom('batch').select('id').executeTakeFirst()
  if (found) return found.id
  const id = newId()
  await db.insertInto('batch').values({ id, name: 'Dosar', created_by: authorId }).execute()
  const groups = Array.from({ length: 400 }, (_, index) => ({ id: newId(), key: `${index}.pdf` }))
  const isSure = (index: number) => index % 2 === 0
  await db
    .insertInto('upload')
    .values(
      groups.map(({ id: groupId, key }) => ({
        id: groupId,
        batch_id: id,
        batch_key: key,
        title: key,
        created_by: authorId,
        source: 'bulk' as const,
        state: 'receiving' as const,
      })),
    )
    .execute()
  await db
    .insertInto('batch_proposal')
    .values(
      groups.map(({ id: groupId }, index) => ({
        upload_id: groupId,
        upload_version: 1,
        batch_version: 1,
        confidence: isSure(index) ? ('sure' as const) : ('none' as const),
        patient_id: isSure(index) ? patientId : null,
        patients: JSON.stringify(isSure(index) ? [{ id: patientId, reasons: [] }] : []),
        is_fixed: false,
        is_duplicate: false,
        is_unreadable: false,
        is_refused: false,
      })),
    )
    .execute()
  return id
}

/** Adds a draft that the account of an institution sends, with a file that was read as one of another draft, once. */
async function addSentDraft(db: Db, email: string, draftId: string): Promise<string> {
  const sender = await db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_institution.user_id', 'app_user.id')
    .select(['app_user.id', 'institution_id'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const found = await db
    .selectFrom('upload')
    .select('id')
    .where('created_by', '=', sender.id)
    .where('sender_institution_id', 'is not', null)
    .where('state', '=', 'receiving')
    .executeTakeFirst()
  if (found) return found.id
  const [id, fileId] = [newId(), newId()]
  await makeEmptyUpload(db, {
    id,
    created_by: sender.id,
    source: 'institution',
    sender_institution_id: sender.institution_id,
  })
  await sql`
    with read as (
      insert into file (id, upload_id, position, name, type, kind, size, sha256, storage_key)
      select ${fileId}::uuid, ${id}::uuid, 1, name, type, kind, size, sha256, 'copy of ' || storage_key
      from file where upload_id = ${draftId}::uuid order by position limit 1),
    kept as (
      insert into file_reading (file_id, reader, may_confirm, inspection, read_at)
      select ${fileId}::uuid, reader, may_confirm, inspection, read_at from file_reading
      where file_id = (select id from file where upload_id = ${draftId}::uuid order by position limit 1))
    insert into file_fact (file_id, position, kind, value, place)
    select ${fileId}::uuid, position, kind, value, place from file_fact
    where file_id = (select id from file where upload_id = ${draftId}::uuid order by position limit 1)`.execute(
    db,
  )
  return id
}

/** Adds an import of the account with a row about the patient, once; returns its id. */
async function addImport(db: Db, email: string, patientId: string): Promise<string> {
  const found = await db.selectFrom('patient_import').select('id').executeTakeFirst()
  if (found) return found.id
  const author = await db
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const id = newId()
  await db
    .insertInto('patient_import')
    .values({ id, created_by: author.id, file_name: 'pacienti.csv', storage_key: id, state: 'checked' })
    .execute()
  await db
    .insertInto('patient_import_row')
    .values({
      import_id: id,
      line: 2,
      cells: JSON.stringify(['Pop', 'Ana']) as never,
      outcome: 'duplicate',
      patient_id: patientId,
    })
    .execute()
  return id
}

/** Reads rows of a generated database to query for. */
async function readSamples(db: Db) {
  const one = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(db)).rows[0]!
  const large = await one(sql<{ id: string }>`select institution_id as id from user_institution
    join app_user on app_user.id = user_id where email = ${LARGE}`)
  const patient = await one(sql<{
    id: string
    cnp: string
    number: number
    phone: string
    birthDate: string
    locality: string
    at: Date
    name_key: string
  }>`
    select id, cnp, number, phone, birth_date as "birthDate", locality, created_at as at, name_key from patient
    where cnp is not null and phone is not null and id in (select patient_id from referral where institution_id = ${large.id}::uuid)
    order by number offset (select count(*) / 4 from referral where institution_id = ${large.id}::uuid) limit 1`)
  const often = await one(sql<{
    id: string
  }>`select patient_id as id from upload where state = 'released' and institution_id = ${large.id}::uuid
    group by 1 order by count(*) desc, 1 limit 1`)
  const coded = await one(sql<{ accession: string; doctor: string }>`
    select accession_number as accession, referring_doctor as doctor from upload
    where state = 'released' and institution_id = ${large.id}::uuid and accession_number is not null
      and referring_doctor is not null order by number limit 1`)
  const waiting = await one(sql<{ id: string; at: Date; category: string }>`
    select id, state_since as at, category_slug as category from upload where state = 'in_review'
    order by state_since, id offset (select count(*) / 2 from upload where state = 'in_review') limit 1`)
  const inbox = async (email: string) =>
    one(sql<{ id: string; at: Date; institution: string }>`
      with mine as materialized (
        select upload.id, released_at as at, institution_id as institution from upload
        join user_institution using (institution_id) join app_user on app_user.id = user_id
        where email = ${email} and state = 'released')
      select * from mine order by at desc, id desc offset (select count(*) / 2 from mine) limit 1`)
  const upload = await one(sql<{ id: string; at: Date }>`
    select id, created_at as at from upload where patient_id = ${often.id}::uuid and state = 'released' and institution_id = ${large.id}::uuid
    order by created_at desc, id desc offset 5 limit 1`)
  const stating = await one(sql<{ id: string | null }>`
    select (select upload_id from file_fact join file on file.id = file_id order by file_id limit 1) as id`)
  const draft = await one(sql<{ id: string | null }>`
    select (select upload_id from file_reading join file on file.id = file_id order by file_id limit 1) as id`)
  const users = new Map(
    (await db.selectFrom('app_user').select(['email', 'id']).execute()).map(({ email, id }) => [email, id]),
  )
  return {
    patient,
    coded,
    often,
    waiting,
    upload,
    /** An upload whose files state facts. */
    statingId: stating.id ?? upload.id,
    /** A draft whose files were read. */
    draftId: draft.id ?? upload.id,
    users,
    inboxes: new Map([
      [LARGE, await inbox(LARGE)],
      [SMALL, await inbox(SMALL)],
      [SEVERAL, await inbox(SEVERAL)],
    ]),
  }
}

const PATIENT = 'id number name cnpMasked birthDate'
const UPLOAD =
  'id number title state patient { id name } category { name } institution { name } fileCount isDisagreeing openedAt'
const AUDIT = 'nodes { id at action patientName shownCount } endCursor'

/**
 * Returns every list and search query of the front end, for every kind of user that may send it, with every filter, for
 * the first page and a deep page. Adds the accounts that send them.
 */
export async function listPlanCases(db: Db): Promise<PlanCase[]> {
  await addAccounts(db)
  const { patient, coded, often, waiting, upload, statingId, draftId, users, inboxes } = await readSamples(db)
  const cases: PlanCase[] = []
  /** Adds a query for several accounts, with each of these sets of variables. */
  const addCases = (as: readonly string[], query: string, ...variables: Record<string, unknown>[]) => {
    for (const person of as)
      for (const each of variables.length > 0 ? variables : [{}])
        cases.push({ as: person, query, variables: each })
  }
  const institutions = [LARGE, SMALL, SEVERAL]

  const sentDraftId = await addSentDraft(db, LARGE, draftId)
  addCases(
    [LARGE],
    `query ($id: ID!) { sentDraft(id: $id) { files { name } proposal { title }
      checks { isKnown patients { name } comparison { what } } } }`,
    {
      id: sentDraftId,
    },
  )
  addCases(
    institutions,
    `query ($after: String, $first: Int) { sentUploads(after: $after, first: $first) { nodes { id title state patient { name }
      senderName fileCount isResult rejectionCode rejectionComment refusedFiles { name } } endCursor } }`,
    { first: 50 },
    { after: cursorTo(waiting.at, waiting.id) },
  )
  addCases(
    institutions,
    `{ sendingInstitutions { name } sentDrafts { id patient { name } files { name } transfers { id } } }`,
  )
  addCases([LARGE], 'query ($id: ID!) { patient(id: $id) { underWay { filedOn categoryName } } }', {
    id: often.id,
  })

  const byName = cursorTo('m', patient.id)
  addCases(
    [REGISTRAR, ...institutions],
    `query ($search: String, $after: String, $first: Int) {
      patients(search: $search, after: $after, first: $first) { nodes { ${PATIENT} } reasons { kind } endCursor } }`,
    { first: 50 },
    { first: 100, after: cursorTo(patient.at, patient.id) },
    ...['ion pop', 'maria', 'zbarcea', 'popescu maria elena', 'po', 'po i', 'ion po', 'pop a'].flatMap(
      (search) => [{ search }, { search, after: byName }],
    ),
    ...[
      'ana maria',
      'maria 1985',
      'zbarcea 1985',
      'maria elena 12.06.1985',
      '12 iunie 1985',
      'mariaa',
      'popesciu ion',
    ].flatMap((search) => [{ search }, { search, after: byName }]),
    { search: `ion ${patient.locality}` },
    ...[
      '185',
      '2850',
      patient.cnp,
      patient.cnp.slice(-5),
      String(patient.number),
      patient.phone,
      patient.phone.slice(-4),
    ].flatMap((search) => [{ search }, { search, after: byName }]),
  )
  addCases(
    [REGISTRAR, ADMIN, LARGE],
    `query ($id: ID!, $first: Int, $after: String) { patient(id: $id) { ${PATIENT} referrals { institutionName doctor }
      uploads(first: $first, after: $after) { nodes { ${UPLOAD} } endCursor } } }`,
    { id: often.id, first: 50 },
    { id: often.id, after: cursorTo(upload.at, upload.id) },
    { id: patient.id },
  )
  addCases([REGISTRAR], 'mutation ($cnp: String!) { findPatientByCnp(cnp: $cnp) { id } }', {
    cnp: patient.cnp,
  })

  addCases(
    [REGISTRAR],
    `query ($surname: String, $givenNames: String, $previousSurname: String, $birthDate: String, $phone: String,
      $exceptId: ID) { possibleDuplicates(surname: $surname, givenNames: $givenNames,
        previousSurname: $previousSurname, birthDate: $birthDate, phone: $phone, exceptId: $exceptId) { reasons patient { ${PATIENT} } } }`,
    { surname: 'Popescu', givenNames: 'Maria', previousSurname: 'Pârvu' },
    { surname: 'Popescu', givenNames: 'Maria', birthDate: patient.birthDate, phone: patient.phone },
    { phone: patient.phone, exceptId: patient.id },
  )
  addCases(
    [REGISTRAR],
    'query ($id: ID!) { patient(id: $id) { possibleDuplicates { reasons patient { id } } merges { id } } }',
    { id: patient.id },
  )
  addCases(
    [REGISTRAR],
    'query ($survivorId: ID!, $mergedId: ID!) { mergePreview(survivorId: $survivorId, mergedId: $mergedId) { survivor { id } } }',
    { survivorId: patient.id, mergedId: often.id },
  )

  const deep = cursorTo(waiting.at, waiting.id)
  /** What lists of uploads are searched by, besides a name or a number. */
  const texts = [
    'maria 1985',
    'zbarcea 1985',
    '12.06.1985',
    'mariaa',
    'popesciu ion',
    patient.cnp,
    patient.cnp.slice(-4),
    patient.phone.slice(-4),
    coded.accession,
    coded.doctor,
    'ct',
    'maria ecografie',
    'torace',
  ]
  const monthAgo = new Date(Date.now() - 30 * 24 * 3_600_000).toISOString().slice(0, 10)
  const category = waiting.category.split('::')[0]
  const institutionId = inboxes.get(SMALL)!.institution
  const QUEUE = `query ($states: [UploadState!], $category: String, $institutionId: ID, $mine: Boolean, $search: String,
    $since: Date, $until: Date, $unopened: Boolean, $sender: UploadSender, $late: TurnaroundStep, $after: String, $first: Int) { uploads(states: $states, category: $category,
    institutionId: $institutionId, mine: $mine, since: $since, until: $until, unopened: $unopened, sender: $sender, late: $late, search: $search, after: $after, first: $first) { nodes { ${UPLOAD} firstAcceptance { isOwn } } reasons { kind } endCursor } }`
  for (const states of [
    null,
    ['released'],
    ['rejected', 'quarantined'],
    ['receiving', 'checking', 'quarantined', 'unassigned', 'in_review', 'accepted', 'rejected'],
  ]) {
    addCases(
      [REVIEWER],
      QUEUE,
      { states, first: 50 },
      { states, after: deep },
      { states, category },
      { states, category: waiting.category, after: deep },
      { states, institutionId },
      { states, mine: true },
      { states, search: 'maria' },
      { states, search: 'ion pop', after: deep },
      { states, search: 'ion po' },
      { states, search: '1002' },
      ...texts.map((search) => ({ states, search })),
      { states, category, institutionId, mine: true, search: 'maria' },
      { states, since: monthAgo },
      { states, since: monthAgo, unopened: true },
      { states, since: monthAgo, until: monthAgo, unopened: true },
      { states, until: monthAgo },
      ...['filing', 'release', 'opening'].flatMap((late) => [
        { states, late },
        { states, late, since: monthAgo, category, institutionId, after: deep },
      ]),
      ...['staff', 'institution', 'integration'].flatMap((sender) => [
        { states, sender },
        { states, sender, category, institutionId, mine: true, search: 'maria', after: deep },
      ]),
    )
  }
  addCases([REVIEWER], '{ queueCounts { state count } }', {})
  addCases([REVIEWER], 'query ($id: ID!) { reviewPlace(uploadId: $id) { place count } }', { id: waiting.id })
  addCases([REGISTRAR, REVIEWER], '{ ownNotices { uploadId number why } }', {})
  addCases(
    [REGISTRAR, REVIEWER],
    `query ($states: [UploadState!]!, $after: String, $first: Int) { myUploads(states: $states, after: $after, first: $first) {
      nodes { ${UPLOAD} firstOpenedAt } endCursor } }`,
    { states: ['receiving', 'rejected'], first: 50 },
    { states: ['rejected'], after: deep },
  )
  addCases(
    [REVIEWER, ADMIN, REGISTRAR],
    `query ($id: ID!) { upload(id: $id) { ${UPLOAD} files { name stated { kind } } reviews { verdict holds { kind } } transfers { id } removedFiles { name }
      proposal { patients { name } } duplicates { fileId } comparison { holds { kind } lines { result disagreeing { value } } marks { page } } firstAcceptance { isOwn }
      policy { release } nextInReview } }`,
    { id: waiting.id },
    { id: upload.id },
    { id: statingId },
  )
  addCases(
    [REVIEWER, ADMIN],
    `query ($id: ID!, $patientId: ID) { upload(id: $id) { proposal { confidence } fileChecks { file { name } patients { name }
      comparison { result disagreeing { value } } duplicates { kind upload { id } } } draftFacts { fileId }
      compared: draftFacts(patientId: $patientId) { agrees } } }`,
    { id: draftId, patientId: patient.id },
  )
  const batchId = await addBatch(db, users.get(REGISTRAR)!, patient.id)
  addCases(
    [REGISTRAR],
    `query ($id: ID!, $filter: BatchFilter, $after: String, $first: Int) { batch(id: $id) { version counts { ready missing filed }
      groups(filter: $filter, after: $after, first: $first) { endCursor nodes { upload { id state title fileCount }
        proposal { patients { name } institution { name } category { name } duplicates { id } } } } } }`,
    { id: batchId, first: 40 },
    { id: batchId, first: 40, filter: 'ready', after: cursorTo(new Date(), newId()) },
  )
  addCases(
    [REGISTRAR],
    'query ($open: Boolean, $after: String, $first: Int) { batches(open: $open, after: $after, first: $first) { nodes { name } endCursor } }',
    { first: 50 },
    { open: true, after: cursorTo(new Date(), newId()) },
  )
  addCases([REGISTRAR], 'mutation ($id: ID!) { undoFiling(batchId: $id) { done left { code } } }', {
    id: batchId,
  })
  addCases(
    [REGISTRAR],
    'mutation ($id: ID!) { undoMerge(id: $id) { uploadsToCheck referralsToCheck { institutionName } } }',
    {
      id: await addMerge(db, users.get(REGISTRAR)!),
    },
  )
  const incidentId = await addIncident(db, upload.id, inboxes.get(LARGE)!.institution)
  const INCIDENT =
    'id openings { name acts { kind } } requests { institutionName answeredByName } notes { text authorName } patient { id }'
  addCases(
    [ADMIN],
    `query ($open: Boolean, $after: String, $first: Int) { incidents(open: $open, after: $after, first: $first) { nodes { id requests { id } } endCursor } }`,
    { first: 50 },
    { open: true },
    { open: false, after: cursorTo(upload.at, upload.id) },
  )
  addCases([ADMIN, REVIEWER], `query ($id: ID!) { incident(id: $id) { ${INCIDENT} } }`, { id: incidentId })
  addCases([REVIEWER], `query ($id: ID!) { upload(id: $id) { incidents { ${INCIDENT} } } }`, {
    id: upload.id,
  })
  addCases([REVIEWER], 'query ($id: ID!) { openings(uploadId: $id) { name acts { kind } } }', {
    id: upload.id,
  })
  addCases(
    [REVIEWER],
    'query ($id: ID!, $patientId: ID!) { moveComparison(uploadId: $id, patientId: $patientId) { lines { what } holds { what } } }',
    { id: upload.id, patientId: patient.id },
  )
  const operationId = await addOperation(db, upload.id)
  const OPERATIONS =
    'query ($after: String, $first: Int, $all: Boolean) { operations(after: $after, first: $first, all: $all) { nodes { number authorName } endCursor } }'
  addCases([REVIEWER, ADMIN], OPERATIONS, { first: 50 }, { after: cursorTo(upload.at, upload.id) })
  addCases([ADMIN], OPERATIONS, { all: true }, { all: true, after: cursorTo(upload.at, upload.id) })
  addCases(
    [ADMIN],
    `query ($id: ID!, $outcome: OperationItemOutcome, $after: String, $first: Int) { operation(id: $id) { number counts { count }
      items(outcome: $outcome, after: $after, first: $first) { nodes { number } endCursor } } }`,
    { id: operationId, first: 50 },
    { id: operationId, after: cursorTo('500', operationId) },
    { id: operationId, outcome: 'changed', after: cursorTo('500', operationId) },
  )
  const importId = await addImport(db, REGISTRAR, patient.id)
  const IMPORT = 'id fileName preview columns checked { rows } imported { rows }'
  addCases(
    [REGISTRAR],
    `query ($after: String, $first: Int) { patientImports(after: $after, first: $first) { nodes { ${IMPORT} } endCursor } }`,
    { first: 50 },
    { after: cursorTo(upload.at, upload.id) },
  )
  addCases([REGISTRAR], `query ($id: ID!) { patientImport(id: $id) { ${IMPORT} } }`, { id: importId })
  addCases(
    [REGISTRAR],
    `query ($importId: ID!, $outcome: ImportOutcome, $after: String, $first: Int) {
      patientImportLines(importId: $importId, outcome: $outcome, after: $after, first: $first) {
        nodes { line name problems { code } changes { field } patient { id } } endCursor } }`,
    { importId, first: 50 },
    { importId, outcome: 'duplicate' },
    { importId, outcome: 'duplicate', after: cursorTo('', '1') },
  )
  await addRecalls(db, upload.id, inboxes.get(LARGE)!.institution)
  const RECALL = 'id patientName replacementId acknowledgedByName openings { name acts { kind } }'
  addCases(
    [LARGE, SMALL],
    `query ($uploadId: ID) { recalls(uploadId: $uploadId) { ${RECALL} } }`,
    {},
    { uploadId: upload.id },
  )
  addCases(
    [REVIEWER],
    'query ($id: ID!) { upload(id: $id) { recalls { institutionName acknowledgedByName openings { name } } } }',
    {
      id: upload.id,
    },
  )
  addCases([LARGE, SMALL], '{ deletionRequests { id answeredByName openings { name acts { kind } } } }')
  await addNews(db, often.id)
  addCases(
    [ADMIN, LARGE],
    'query ($patientId: ID!) { patientNews(patientId: $patientId) { id authorName isUnread former { text } readings { name } } }',
    { patientId: often.id },
  )
  addCases(
    [ADMIN],
    'query ($patientId: ID!, $removed: Boolean) { patientNews(patientId: $patientId, removed: $removed) { id } }',
    {
      patientId: often.id,
      removed: true,
    },
  )
  addCases(
    [LARGE, SMALL],
    'query ($first: Int) { inbox(first: $first) { nodes { id patient { id newsMarks { warnings unread } } } } }',
    { first: 50 },
  )
  await addRequests(db, inboxes.get(LARGE)!.institution)
  const request = await db
    .selectFrom('access_request')
    .select(['id', 'created_at'])
    .where('state', '=', 'sent')
    .executeTakeFirstOrThrow()
  addCases(
    [REGISTRAR],
    `query ($decided: Boolean, $after: String, $first: Int) { accessRequests(decided: $decided, after: $after, first: $first) {
      nodes { id institutionName } endCursor } accessRequestCount }`,
    { first: 50 },
    { after: cursorTo(request.created_at, request.id) },
    { decided: true },
    { decided: true, after: cursorTo(new Date(), request.id) },
  )
  addCases([REGISTRAR], 'query ($id: ID!) { accessRequest(id: $id) { cnp candidates { name agrees } } }', {
    id: request.id,
  })
  addCases(
    institutions,
    `query ($after: String, $first: Int) { ownAccessRequests(after: $after, first: $first) { nodes { id authorName } endCursor }
      requestInstitutions { name } }`,
    { first: 50 },
    { after: cursorTo(request.created_at, request.id) },
  )
  const question = await db
    .selectFrom('question')
    .select(['id', 'upload_id', 'changed_at'])
    .executeTakeFirstOrThrow()
  const QUESTION = 'id messages { text authorName }'
  addCases(
    [REGISTRAR, REVIEWER],
    `query ($after: String, $first: Int) { openQuestions(after: $after, first: $first) {
      nodes { ${QUESTION} answererName upload { ${UPLOAD} } } endCursor } questionCount }`,
    { first: 20 },
    { first: 20, after: cursorTo(question.changed_at, question.id) },
  )
  addCases(
    institutions,
    `query ($after: String, $first: Int) { ownQuestions(after: $after, first: $first) {
      nodes { ${QUESTION} upload { id title patient { name } } } endCursor } questionCount }`,
    { first: 20 },
    { first: 20, after: cursorTo(question.changed_at, question.id) },
  )
  addCases([REGISTRAR, LARGE], `query ($uploadId: ID!) { questions(uploadId: $uploadId) { ${QUESTION} } }`, {
    uploadId: question.upload_id,
  })
  addCases([LARGE], `query ($id: ID!) { question(id: $id) { ${QUESTION} upload { id } } }`, {
    id: question.id,
  })
  const share = await addShares(db, upload.id)
  const afterShare = cursorTo(share.created_at, share.id)
  addCases(
    [ADMIN],
    `query ($patientId: ID, $state: ShareFilter, $mine: Boolean, $after: String, $first: Int) {
      shares(patientId: $patientId, state: $state, mine: $mine, after: $after, first: $first) {
        nodes { id patientName state uploads { id title } events { kind fileName } } endCursor } }`,
    ...[{}, { state: 'live' }, { state: 'ended' }].flatMap((filter) => [
      { ...filter, first: 5 },
      { ...filter, first: 5, after: afterShare },
      { ...filter, first: 5, patientId: share.patient_id },
      { ...filter, first: 5, mine: true },
    ]),
  )
  addCases([ADMIN], 'query ($id: ID!) { share(id: $id) { events { kind } } }', { id: share.id })
  await addFailures(db)
  addCases(
    [ADMIN, REGISTRAR, REVIEWER, ...institutions],
    '{ notifications { kind count items { id number } } notificationCount notificationSettings { kind isOn } }',
    {},
  )
  for (const change of [
    'markNotificationsSeen(seen: [{ kind: questions, until: "2026-01-01T00:00:00Z" }])',
    'chooseNotifications(kind: access_requests, isOn: true) { kind }',
  ])
    addCases([REGISTRAR, ...institutions], `mutation { ${change} }`)
  addCases([ADMIN], 'query ($id: ID!) { patient(id: $id) { shares { id } } }', { id: share.patient_id })
  cases.push({
    as: ADMIN,
    query: `query ($token: String!) { sharePage(token: $token) { state }
      sharedResults(token: $token) { uploads { title files { name } } news { text } events { kind fileName } } }`,
    variables: { token: share.id },
    cookie: [`__Host-dosar.share.${share.id}`, `sesiune-${share.id}`],
  })
  addCases([REGISTRAR], 'query ($text: String!) { proposedCategory(text: $text) { slug } }', {
    text: 'ct torace',
  })
  for (const email of institutions) {
    const { at, id } = inboxes.get(email)!
    const after = cursorTo(at, id)
    addCases(
      [email],
      `query ($view: InboxView, $since: Date, $until: Date, $category: String, $doctor: String, $institutionId: ID,
        $departmentId: ID, $ownDepartments: Boolean, $search: String, $after: String, $first: Int) {
        inbox(view: $view, since: $since, until: $until, category: $category, doctor: $doctor, institutionId: $institutionId,
          departmentId: $departmentId, ownDepartments: $ownDepartments, search: $search, after: $after, first: $first) {
          nodes { ${UPLOAD} inbox { state former { name } } } endCursor } }`,
      { first: 50 },
      { after },
      { search: 'maria' },
      { search: 'ion pop', after },
      { search: 'zbarcea' },
      ...texts.map((search) => ({ search })),
      {
        since: '2026-01-01',
        until: '2026-03-31',
        category: 'imagistica',
        doctor: 'Dr. Pop',
        ownDepartments: true,
      },
      { institutionId: inboxes.get(email)!.institution, departmentId: id },
      ...['open', 'new', 'mine', 'handled', 'older'].flatMap((view) => [
        { view, ownDepartments: true },
        { view, after },
        { view, search: '1002' },
      ]),
    )
    addCases(
      [email],
      `mutation ($ids: [ID!]!) { markResults(ids: $ids, mark: take) {
        changed { ${UPLOAD} inbox { state } } unchanged { ${UPLOAD} inbox { state } } } }`,
      { ids: [id] },
    )
    addCases(
      [email, ADMIN],
      'query ($id: ID!) { institution(id: $id) { departments { name } doctors { name } } }',
      {
        id: inboxes.get(email)!.institution,
      },
    )
    addCases([email], '{ inboxCounts { open new mine older } }')
    addCases(
      [email],
      `mutation ($view: InboxView, $since: Date, $until: Date, $category: String, $doctor: String, $institutionId: ID,
        $departmentId: ID, $ownDepartments: Boolean) {
        keepInboxFilters(view: $view, since: $since, until: $until, category: $category, doctor: $doctor,
          institutionId: $institutionId, departmentId: $departmentId, ownDepartments: $ownDepartments) }`,
      {
        view: 'open',
        since: '2024-01-01',
        until: '2024-02-01',
        category: 'imagistica',
        doctor: 'Dr. Pop',
        institutionId: inboxes.get(email)!.institution,
        departmentId: id,
        ownDepartments: true,
      },
    )
    addCases([email], '{ memberships { institutionName departments { name } doctors { name } } }')
    addCases([email], `query ($id: ID!) { upload(id: $id) { ${UPLOAD} files { name } } }`, { id })
    addCases([email], '{ ownInstitutions { name users { name } } }')
  }

  addCases(
    [REGISTRAR, REVIEWER, LARGE],
    `query ($query: String!, $kinds: [SearchKind!], $first: Int) { search(query: $query, kinds: $kinds, first: $first) {
      patients { ${PATIENT} } institutions { name } uploads { ${UPLOAD} } categories { name } screens { title } reasons { kind } } }`,
    ...['ion pop', 'maria', '185', '1002', patient.cnp, String(patient.number), ...texts].map((query) => ({
      query,
    })),
    { query: 'maria', kinds: ['UPLOAD'], first: 10 },
  )

  addCases(
    [REGISTRAR, ADMIN],
    `query ($search: String, $open: Boolean, $after: String, $first: Int) {
      institutions(search: $search, open: $open, after: $after, first: $first) { nodes { name users { name } } endCursor } }`,
    { first: 20 },
    { open: true },
    { search: 'clinica' },
    { after: cursorTo('m', institutionId) },
  )
  addCases([ADMIN], 'query ($id: ID!) { institution(id: $id) { name users { name lastUsedAt } } }', {
    id: institutionId,
  })
  const largest = inboxes.get(LARGE)!
  await addAnnouncements(db, largest.institution)
  addCases(
    [REGISTRAR, REVIEWER],
    'query ($institutionId: ID!) { institutionFigures(institutionId: $institutionId) { released unopened oldestUnopenedAt medianToOpening medianToOpeningLong } }',
    { institutionId: largest.institution },
  )
  addCases(
    [REGISTRAR, REVIEWER],
    `query ($days: Int, $olderThan: Int) { unopenedInstitutions(days: $days, olderThan: $olderThan) {
      institutionId count oldestAt people resentAt } }`,
    {},
    { days: 30, olderThan: 7 },
    { olderThan: 7 },
  )
  addCases(
    [REVIEWER],
    `query ($uploadId: ID, $patientId: ID, $after: String, $first: Int) {
      deliveryLedger(uploadId: $uploadId, patientId: $patientId, after: $after, first: $first) {
        nodes { recipientName mailState openedAt } endCursor } }`,
    { uploadId: largest.id },
    { uploadId: largest.id, first: 20, after: cursorTo(largest.id, largest.id) },
    { patientId: patient.id },
    { patientId: patient.id, first: 20, after: cursorTo(largest.id, largest.id) },
  )
  addCases(
    [REGISTRAR, REVIEWER],
    `query ($institutionId: ID!, $days: Int, $olderThan: Int, $opened: Boolean, $after: String, $first: Int) {
      institutionResults(institutionId: $institutionId, days: $days, olderThan: $olderThan, opened: $opened, after: $after, first: $first) {
        nodes { ${UPLOAD} releasedAt firstOpenedAt } endCursor } }`,
    ...[null, 30].flatMap((days) =>
      [null, true, false].flatMap((opened) => [
        { institutionId: largest.institution, days, opened },
        { institutionId: largest.institution, days, olderThan: 7, opened },
        {
          institutionId: largest.institution,
          days,
          opened,
          first: 100,
          after: cursorTo(largest.at, largest.id),
        },
      ]),
    ),
  )
  addCases(
    [REGISTRAR],
    `query ($institutionId: ID!, $search: String, $after: String, $first: Int) {
      patients(institutionId: $institutionId, search: $search, after: $after, first: $first) { nodes { ${PATIENT} } endCursor } }`,
    ...[largest.institution, institutionId].flatMap((of) => [
      { institutionId: of, first: 50 },
      { institutionId: of, after: cursorTo(patient.at, patient.id) },
      ...['ion pop', 'maria', 'po', patient.cnp, String(patient.number)].map((search) => ({
        institutionId: of,
        search,
      })),
    ]),
  )
  addCases([ADMIN], '{ setupChecklist { steps { step state } backupStatedAt } }')
  addCases([ADMIN], 'query ($id: ID!) { institutionSuspension(id: $id) { losing keeping waiting } }', {
    id: institutionId,
  })
  const USERS = `query ($search: String, $role: Role, $status: AccountStatus, $institutionId: ID, $order: AccountOrder, $after: String, $first: Int) {
    users(search: $search, role: $role, status: $status, institutionId: $institutionId, order: $order, after: $after, first: $first) {
      nodes { email institutions { name } } endCursor } }`
  addCases(
    [ADMIN],
    USERS,
    { first: 50 },
    { search: 'maria', role: 'staff', status: 'active', institutionId },
    { after: cursorTo('m', users.get(ADMIN)!) },
    { order: 'status', after: cursorTo('active m', users.get(ADMIN)!) },
    { order: 'name', after: cursorTo('m', users.get(ADMIN)!) },
    { order: 'role', after: cursorTo('institution m', users.get(ADMIN)!) },
    { order: 'last_sign_in', after: cursorTo('0', users.get(ADMIN)!) },
  )
  addCases(
    [ADMIN],
    'query ($id: ID!) { user(id: $id) { email institutions { name } } userSessions(userId: $id) { id } }',
    {
      id: users.get(REGISTRAR),
    },
  )

  const LOG = `query ($from: Date, $to: Date, $actorId: ID, $action: String, $patientId: ID, $outcome: AuditOutcome,
    $withoutReads: Boolean, $after: String, $first: Int) { auditEvents(from: $from, to: $to, actorId: $actorId, action: $action, patientId: $patientId,
    outcome: $outcome, withoutReads: $withoutReads, after: $after, first: $first) { ${AUDIT} } }`
  const entry = await db
    .selectFrom('audit_event')
    .select(['at', 'id'])
    .orderBy('id')
    .offset(
      (eb) =>
        eb
          .selectFrom('audit_event')
          .select(({ fn }) => sql<number>`${fn.countAll()} / 2`.as('half')) as never,
    )
    .limit(1)
    .executeTakeFirst()
  const before = entry ? cursorTo(entry.at, String(entry.id)) : undefined
  const day = (entry?.at ?? new Date()).toISOString().slice(0, 10)
  const actorId = users.get(REGISTRAR)
  addCases(
    [ADMIN, REGISTRAR],
    LOG,
    { first: 50 },
    { withoutReads: true },
    { withoutReads: true, actorId },
    { after: before },
    { from: day, to: day },
    { actorId },
    { actorId, after: before, action: 'patient.read' },
    { action: 'upload.read' },
    { action: 'upload.read', from: day },
    { patientId: patient.id },
    { outcome: 'denied' },
    { outcome: 'ok', from: day, to: day, action: 'patient.list', patientId: patient.id },
  )
  addCases(
    [ADMIN],
    `query ($patientId: ID!, $after: String, $first: Int) {
      patientAccess(patientId: $patientId, after: $after, first: $first) { ${AUDIT} } }`,
    { patientId: patient.id, first: 50 },
    { patientId: often.id, after: before },
  )
  addCases(
    [ADMIN],
    'query ($search: String, $id: ID) { auditPeople(search: $search, id: $id) { name } }',
    { search: 'mar' },
    { id: actorId },
  )
  addCases([ADMIN], '{ lastAuditVerification { id faults { kind } } }')
  addCases(
    [ADMIN],
    `query ($state: MessageState, $undelivered: Boolean, $after: String, $first: Int) { messages(state: $state, undelivered: $undelivered, after: $after, first: $first) {
      nodes { subject } endCursor } }`,
    { first: 50 },
    { after: cursorTo(patient.at, patient.id) },
    ...['queued', 'sent', 'failed'].map((state) => ({ state })),
    { state: 'sent', after: cursorTo(patient.at, patient.id) },
    { undelivered: true },
    { undelivered: true, after: cursorTo(patient.at, patient.id) },
  )
  addCases([ADMIN], '{ mailPreviews { kind } }')
  addCases(
    [REVIEWER, ADMIN],
    '{ dashboard { waiting { state count } perDay { day count } acceptedToday released unopened unopenedLong alarms { failedMails incidents isChainBroken } } }',
  )
  addCases(
    [REVIEWER],
    `query ($days: Int!, $category: String, $institutionId: ID) { turnaround(days: $days, category: $category,
      institutionId: $institutionId) { released steps { late } byCategory { name steps { late } } byInstitution { name } } }`,
    { days: 90 },
    { days: 90, category },
    { days: 90, institutionId },
  )
  addCases([ADMIN], 'query ($days: Int!) { workOfPeople(days: $days) { name filed } }', { days: 90 })
  addCases(
    [ADMIN],
    '{ categoryUploads { slug count } categoryMoves { from } apiKeys { name } integrations { name } siteSettings { values } publicSite { name } }',
  )
  addCases(
    [ADMIN],
    '{ system { jobs { name } failedJobs { name } storage { files bytes } database { bytes } } }',
  )
  addCases(
    [REGISTRAR, LARGE],
    '{ me { name } mySessions { id } mySecurity { hasSecondFactor passkeys { id } } getCategories }',
  )
  addCases([ADMIN], 'query ($token: String!) { accountLink(token: $token) { name } }', {
    token: 'x'.repeat(43),
  })
  return cases
}
