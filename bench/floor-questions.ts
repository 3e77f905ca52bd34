import type pg from 'pg'
import { compareFacts } from '../server/features/matching/compare-facts.ts'
import { reasonsFor, wordPairsOf } from '../server/features/patients/duplicates/find-duplicates.ts'
import { maskCnp } from '../shared/romania/cnp.ts'
import { namePrefix, nameWords, nearWords, queryWords } from '../shared/romania/names.ts'
import { nameFromSlug } from '../shared/uploads/categories.ts'

/** A query of a screen, and, since the floor has no sign-in, the user that it is sent for. */
export type Question = { variables: Record<string, unknown>; readerId: string; institutionIds: string[] }
// biome-ignore lint/suspicious/noExplicitAny: a row as the database returns it; the bench compares the responses
type Row = any
type Responder = (pool: pg.Pool, question: Question) => Promise<object>

const PAGE = 50

/** Runs a statement that is prepared once a connection, by its name. */
const runPrepared = async (pool: pg.Pool, name: string, text: string, values: unknown[]): Promise<Row[]> =>
  (await pool.query({ name, text, values })).rows

const cursor = (...keys: string[]): string => Buffer.from(JSON.stringify(keys)).toString('base64url')
const readCursor = (text: unknown): string[] => JSON.parse(Buffer.from(String(text), 'base64url').toString())

/** Removes the extra row that only shows that there are more. */
function toPage(
  __typename: string,
  rows: Row[],
  keysOf: (row: Row) => string[],
  nodeOf: (row: Row) => object,
) {
  const nodes = rows.slice(0, PAGE)
  const endCursor = rows.length > PAGE ? cursor(...keysOf(nodes.at(-1)!)) : null
  return { __typename, endCursor, nodes: nodes.map(nodeOf) }
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null
const masked = (cnp: string | null): string | null => cnp && maskCnp(cnp)

const PATIENT_LINE =
  'id, number, surname, given_names, previous_surname, cnp, birth_date, sex, phone, locality, created_at, name_key'
const LIVE = 'deleted_at is null and merged_into is null'

const patientLine = (row: Row) => ({
  __typename: 'Patient',
  id: row.id,
  number: row.number,
  name: `${row.surname} ${row.given_names}`,
  cnpMasked: masked(row.cnp),
  birthDate: row.birth_date,
  phone: row.phone,
  locality: row.locality,
})

const newest: Responder = async (pool, { variables: { after } }) => {
  const order = `order by created_at desc, id desc limit ${PAGE + 1}`
  const rows = after
    ? await runPrepared(
        pool,
        'deep',
        `select ${PATIENT_LINE} from patient
         where ${LIVE} and (created_at, id) < ($1::timestamptz, $2::uuid) ${order}`,
        readCursor(after),
      )
    : await runPrepared(pool, 'newest', `select ${PATIENT_LINE} from patient where ${LIVE} ${order}`, [])
  const page = toPage('PatientPage', rows, ({ created_at, id }) => [iso(created_at)!, id], patientLine)
  return { patients: { ...page, isCut: false, reasons: [] } }
}

/**
 * Searches two prefixes in the pairs table, in the order of the result. Duplicates are removed here, not by
 * the database.
 */
const byName: Responder = async (pool, { variables: { search } }) => {
  const [first = '', second = ''] = queryWords(String(search)).sort()
  const values = [namePrefix(first), namePrefix(second), `${first}%`, `${second}%`]
  const rows = await runPrepared(
    pool,
    'by-name',
    `select ${PATIENT_LINE.replaceAll(/\w+/g, 'patient.$&')} from (
       select name_key, patient_id from patient_name_pair
       where first_prefix = $1 and second_prefix = $2
         and ((first_word like $3 and second_word like $4)
           or ($1 = $2 and first_word like $4 and second_word like $3))
       order by name_key, patient_id limit ${(PAGE + 1) * 2}) page
     join patient on patient.id = patient_id where ${LIVE} order by page.name_key, patient_id`,
    values,
  )
  const once = rows.filter(({ id }, place) => place === 0 || rows[place - 1]!.id !== id)
  const words = queryWords(String(search))
  return found(once.slice(0, PAGE + 1), (row) => {
    const name = nameWords([row.surname, row.given_names])
    return words.every((word) => name.some((each) => each.startsWith(word)))
      ? null
      : ['PREVIOUS_SURNAME', `nume anterior ${row.previous_surname}`]
  })
}

/** Returns a page of patients by name, each with the reason why it was found. */
function found(rows: Row[], reasonOf: (row: Row) => [kind: string, text: string] | null) {
  const page = toPage('PatientPage', rows, ({ name_key, id }) => [name_key, id], patientLine)
  const reasons = rows.slice(0, PAGE).flatMap((row) => {
    const reason = reasonOf(row)
    return reason ? [{ __typename: 'SearchReason', rowId: row.id, kind: reason[0], text: reason[1] }] : []
  })
  return { patients: { ...page, isCut: false, reasons } }
}

const bornReason = ({ sex, birth_date }: Row): [string, string] => [
  'BIRTH_DATE',
  `${sex === 'female' ? 'născută' : 'născut'} ${birth_date.split('-').reverse().join('.')}`,
]
const PATIENTS = `select ${PATIENT_LINE.replaceAll(/\w+/g, 'patient.$&')} from patient`
const BY_NAME = `order by name_key, id limit ${PAGE + 1}`

/** A surname and a birth year: the patients with a word that begins so, of whom those born in the year. */
const byNameAndYear: Responder = async (pool, { variables: { search } }) => {
  const [word = '', year = ''] = String(search).split(' ')
  const rows = await runPrepared(
    pool,
    'name-and-year',
    `${PATIENTS} where id = any(array(select patient_id from patient_name_pair
       where first_prefix = $1 and second_prefix = '' and first_word like $2))
     and birth_date between $3::date and $4::date and ${LIVE} ${BY_NAME}`,
    [namePrefix(word), `${word}%`, `${year}-01-01`, `${year}-12-31`],
  )
  return found(rows, bornReason)
}

const byBirthDate: Responder = async (pool, { variables: { search } }) => {
  const rows = await runPrepared(
    pool,
    'born',
    `${PATIENTS} where birth_date = $1::date and ${LIVE} ${BY_NAME}`,
    [String(search).split('.').reverse().join('-')],
  )
  return found(rows, bornReason)
}

/** Six digits that end a phone; they may also begin or end a CNP, or be a number. */
const byDigits: Responder = async (pool, { variables: { search } }) => {
  const digits = String(search)
  const reversed = [...digits].reverse().join('')
  const rows = await runPrepared(
    pool,
    'digits',
    `${PATIENTS} where ${LIVE} and (reverse(phone) collate "C" between $1 and $2 and phone is not null or cnp between $3 and $4
       or reverse(cnp) collate "C" between $1 and $2 and cnp is not null or number = $5) ${BY_NAME}`,
    [reversed, `${reversed}:`, digits, `${digits}:`, Number(digits)],
  )
  return found(rows, (row) =>
    row.cnp?.startsWith(digits) || row.cnp?.endsWith(digits)
      ? ['CNP', 'CNP']
      : row.phone?.endsWith(digits)
        ? ['PHONE', `telefon …${row.phone.slice(-3)}`]
        : ['NUMBER', `nr. ${row.number}`],
  )
}

/** A surname with a typing error: first whether it is a name, then the words that it may be. */
const byNearName: Responder = async (pool, { variables: { search } }) => {
  const word = String(search)
  await runPrepared(
    pool,
    'exact',
    `select patient_id from patient_name_pair where first_prefix = $1 and second_prefix = '' and first_word like $2 limit 1`,
    [namePrefix(word), `${word}%`],
  )
  const rows = await runPrepared(
    pool,
    'near',
    `${PATIENTS} where id = any(array(select patient_id from patient_name_pair
       where second_prefix = '' and first_word = any($1::text[]))) and ${LIVE} ${BY_NAME}`,
    [nearWords(word)],
  )
  return found(rows, () => ['NEAR_NAME', 'nume apropiat'])
}

function search(pool: pg.Pool, question: Question): Promise<object> {
  const text = String(question.variables.search ?? '')
  if (text === '') return newest(pool, question)
  if (/^\d+$/.test(text)) return byDigits(pool, question)
  if (/^\d/.test(text)) return byBirthDate(pool, question)
  if (/\d/.test(text)) return byNameAndYear(pool, question)
  return (text.includes(' ') ? byName : byNearName)(pool, question)
}

const categoryOf = (row: Row) =>
  row.category_slug && {
    __typename: 'UploadCategory',
    slug: row.category_slug,
    name: row.category_name ?? nameFromSlug(row.category_slug),
    icon: row.category_icon ?? 'documents',
    color: row.category_color ?? '',
  }
const institutionOf = (row: Row) =>
  row.institution_id && {
    __typename: 'UploadInstitution',
    id: row.institution_id,
    name: row.institution_name ?? '',
  }
const patientOf = (row: Row) =>
  row.patient_id && {
    __typename: 'UploadPatient',
    id: row.patient_id,
    number: row.patient_number,
    name: `${row.surname} ${row.given_names}`,
    cnpMasked: masked(row.cnp),
    birthDate: row.birth_date,
  }

const NAMES = `category.name as category_name, category.icon as category_icon, category.color as category_color,
  coalesce(institution.short_name, institution.name) as institution_name`
const PATIENT_NAMES =
  'patient.number as patient_number, surname, given_names, previous_surname, cnp, birth_date, patient.sex as patient_sex'
const JOINS = `left join institution on institution.id = upload.institution_id
  left join category on category.slug = upload.category_slug`
const FILE_COUNT = `(select count(*) from file where upload_id = upload.id and removed_at is null) as file_count`

/** The facts of the files of `upload` that are compared with the patient, as JSON. */
const FACTS = `(select json_agg(json_build_array(fact.file_id, fact.kind, fact.value, fact.is_doubtful, fact.place ->> 'entry'))
  from file join file_fact fact on fact.file_id = file.id where file.upload_id = upload.id and file.removed_at is null
    and file.scan_result <> 'pending' and fact.kind in ('cnp', 'name', 'birth-date')) as facts`

/** Whether a file names another person than the patient. */
function isDisagreeing({ facts }: Row, patient: Row): boolean {
  const files = Map.groupBy((facts ?? []) as Row[][], ([fileId]) => fileId)
  return [...files].some(([fileId, rows]) =>
    compareFacts(patient, [
      {
        fileId,
        facts: rows.map(([file_id, kind, value, is_doubtful, entry]) => ({
          file_id,
          kind,
          value,
          is_doubtful,
          place: { in: 'text', ...(entry && { entry }) },
        })),
      },
    ]).lines.some(({ result }) => result === 'disagrees'),
  )
}

/** The patients that may be the same person, by the phone, the birth date and pairs of words of the name. */
async function duplicatesOf(pool: pg.Pool, patient: Row): Promise<object[]> {
  const pairs = wordPairsOf(patient).map((pair) => [...pair].sort())
  const rows = await runPrepared(
    pool,
    'duplicates',
    `with found as (
       (select id from patient where phone = $2 and ${LIVE} order by id limit 300)
       union (select id from patient where birth_date = $3::date and ${LIVE} order by name_key limit 300)
       union (select named.id from unnest($4::text[], $5::text[], $6::text[], $7::text[]) as pair (first, second, first_start, second_start)
         cross join lateral (select patient.id from (select patient_id from patient_name_pair
           where first_prefix = first_start and second_prefix = second_start and first_word = first and second_word = second
           order by name_key, patient_id limit 300) as entry join patient on patient.id = patient_id
           where ${LIVE} and ($3::date is null or birth_date is null)) as named))
     select ${PATIENT_LINE} from patient where id in (select id from found) and id <> $1
       and not exists (select from patient_distinct where (patient_id, other_id) in ((id, $1), ($1, id)))`,
    [
      patient.id,
      patient.phone,
      patient.birth_date,
      ...[0, 1].map((place) => pairs.map((pair) => pair[place])),
      ...[0, 1].map((place) => pairs.map((pair) => namePrefix(pair[place]!))),
    ],
  )
  return rows
    .map((row) => ({ row, reasons: reasonsFor(patient, row) }))
    .filter(
      ({ row, reasons }) =>
        reasons.some((reason) => reason !== 'phone') ||
        (reasons.length > 0 &&
          (!row.birth_date || !patient.birth_date || row.birth_date === patient.birth_date)),
    )
    .sort(
      (a, b) =>
        REASONS.indexOf(a.reasons[0]!) - REASONS.indexOf(b.reasons[0]!) || (a.row.id < b.row.id ? -1 : 1),
    )
    .slice(0, 5)
    .map(({ row, reasons }) => ({
      __typename: 'PossibleDuplicate',
      reasons,
      patient: {
        __typename: 'Patient',
        id: row.id,
        number: row.number,
        name: `${row.surname} ${row.given_names}`,
        birthDate: row.birth_date,
        cnpMasked: masked(row.cnp),
        locality: row.locality,
      },
    }))
}
const REASONS: readonly string[] = ['name_and_birth_date', 'name', 'phone']

const patientPage: Responder = async (pool, { variables: { id }, readerId }) => {
  const [patients, referrals, uploads] = await Promise.all([
    runPrepared(
      pool,
      'patient',
      // The generated database has no merge and no news, so their rows need no shape.
      `select *, array(select id from patient_merge where survivor_id = patient.id and undone_at is null) as merges,
         array(select id from news where patient_id = patient.id and removed_at is null) as news
       from patient where id = $1 and ${LIVE}`,
      [id],
    ),
    runPrepared(
      pool,
      'referrals',
      `select referral.*, to_char(ended_at at time zone 'Europe/Bucharest', 'YYYY-MM-DD') as ended_on, institution.name as institution_name, suspended_at is not null as institution_suspended from referral
       join institution on institution.id = institution_id where patient_id = $1 order by referral.created_at desc`,
      [id],
    ),
    runPrepared(
      pool,
      'uploads',
      `select upload.id, upload.number, title, state, examined_on, upload.created_at, upload.created_by,
         category_slug, institution_id, accession_number, referring_doctor, note, author.name as author_name, ${NAMES}, ${FACTS},
         (select coalesce(json_agg(json_build_object('__typename', 'File', 'id', id, 'name', name, 'kind', kind, 'size', size,
            'sha256', encode(sha256, 'hex'), 'pageCount', page_count, 'scanResult', scan_result, 'facts', facts,
            'hasThumbnail', thumbnail is not null and scan_result in ('unscanned', 'clean')) order by position), '[]') from file where upload_id = upload.id and removed_at is null) as files,
         (select coalesce(json_agg(json_build_object('__typename', 'Transfer', 'id', id, 'name', name, 'size', size, 'received', received,
            'sha256', encode(sha256, 'hex')) order by created_at), '[]')
          from transfer where upload_id = upload.id and user_id = $2 and state = 'receiving') as transfers
       from upload join app_user author on author.id = upload.created_by ${JOINS}
       where patient_id = $1 and upload.deleted_at is null and state <> 'withdrawn'
       order by upload.created_at desc, upload.id desc limit ${PAGE + 1}`,
      [id, readerId],
    ),
  ])
  const patient = patients[0]!
  const duplicates = await duplicatesOf(pool, patient)
  const page = {
    __typename: 'Patient',
    id: patient.id,
    version: patient.version,
    number: patient.number,
    name: `${patient.surname} ${patient.given_names}`,
    surname: patient.surname,
    givenNames: patient.given_names,
    previousSurname: patient.previous_surname,
    cnpMasked: masked(patient.cnp),
    birthDate: patient.birth_date,
    sex: patient.sex,
    phone: patient.phone,
    email: patient.email,
    county: patient.county,
    locality: patient.locality,
    address: patient.address,
    preferredChannel: patient.preferred_channel,
    notes: patient.notes,
    can: { __typename: 'PatientAbilities', edit: true },
    possibleDuplicates: duplicates,
    merges: patient.merges,
    referrals: referrals.map((row) => ({
      __typename: 'Referral',
      id: row.id,
      institutionId: row.institution_id,
      institutionName: row.institution_name,
      institutionSuspended: row.institution_suspended,
      doctor: row.doctor,
      number: row.number,
      referredOn: row.referred_on,
      endedOn: row.ended_on,
      isMistaken: row.mistaken,
      version: row.version,
      createdAt: iso(row.created_at),
    })),
    uploads: toPage(
      'UploadPage',
      uploads,
      (row) => [iso(row.created_at)!, row.id],
      (row) => ({
        __typename: 'Upload',
        id: row.id,
        number: row.number,
        title: row.title,
        state: row.state,
        examinedOn: row.examined_on,
        createdAt: iso(row.created_at),
        authorName: row.author_name,
        isDisagreeing: isDisagreeing(row, patient),
        accessionNumber: row.accession_number,
        referringDoctor: row.referring_doctor,
        note: row.note,
        category: categoryOf(row),
        institution: institutionOf(row),
        files: row.files,
        transfers: row.transfers,
        can: {
          __typename: 'UploadAbilities',
          addFiles: row.created_by === readerId && (row.state === 'receiving' || row.state === 'rejected'),
        },
      }),
    ),
  }
  return { patient: page, patientNews: patient.news }
}

const queue: Responder = async (pool, { variables: { states }, readerId }) => {
  const rows = await runPrepared(
    pool,
    'queue',
    `select upload.id, upload.number, title, state, state_since, release_at, category_slug, upload.patient_id,
       upload.institution_id, author.id as author_id, author.name as author_name, ${NAMES}, ${PATIENT_NAMES}, ${FILE_COUNT}, ${FACTS},
       sender.name as sender_name,
       coalesce(category.reviewers, 1) as reviewers, first.reviewer_id as first_reviewer_id,
       first_reviewer.name as first_reviewer_name
     from upload join app_user author on author.id = upload.created_by ${JOINS}
     left join patient on patient.id = upload.patient_id
     left join institution sender on sender.id = upload.sender_institution_id
     left join review first on first.upload_id = upload.id and first.first_of_version = upload.version
     left join app_user first_reviewer on first_reviewer.id = first.reviewer_id
     where upload.state = $1 and upload.deleted_at is null
     order by state_since, upload.id limit ${PAGE + 1}`,
    [(states as string[])[0]],
  )
  const page = toPage(
    'UploadPage',
    rows,
    (row) => [iso(row.state_since)!, row.id],
    (row) => ({
      __typename: 'Upload',
      id: row.id,
      number: row.number,
      title: row.title,
      state: row.state,
      stateSince: iso(row.state_since),
      fileCount: row.file_count,
      authorName: row.author_name,
      sentBy: row.sender_name,
      isOwn: row.author_id === readerId,
      releaseAt: iso(row.release_at),
      isDisagreeing: row.patient_id !== null && isDisagreeing(row, row),
      policy: { __typename: 'ReviewPolicy', reviewers: row.reviewers },
      firstAcceptance:
        row.first_reviewer_id && row.reviewers > 1
          ? {
              __typename: 'FirstAcceptance',
              reviewerName: row.first_reviewer_name ?? '',
              isOwn: row.first_reviewer_id === readerId,
            }
          : null,
      can: { __typename: 'UploadAbilities', decide: true, accept: row.author_id !== readerId },
      category: categoryOf(row),
      patient: patientOf(row),
      institution: institutionOf(row),
    }),
  )
  return { uploads: { ...page, reasons: [] } }
}

const inbox: Responder = async (pool, { readerId, institutionIds }) => {
  const rows = await runPrepared(
    pool,
    'inbox',
    // A page of each institution from its index, then the names of one page; `offset 0` looks up the referral of each row
    // instead of reading all of an institution.
    `select upload.id, upload.number, title, examined_on, released_at, is_update, referring_doctor, accession_number,
       category_slug, upload.patient_id, upload.institution_id, ${NAMES}, ${PATIENT_NAMES}, ${FILE_COUNT},
       (select opened_at from upload_opening where upload_id = upload.id and user_id = $2) as opened_at,
       (select count(*) from news where patient_id = upload.patient_id and removed_at is null and visibility <> 'staff') as news,
       item.received_at, item.taken_at, item.taken_by, item.taken_by_name, item.handled_at, item.handled_by_name, item.former,
       joined_at
     from (select released.*, joined_at from user_institution member
       cross join lateral (select * from upload where state = 'released' and deleted_at is null and institution_id = member.institution_id
         and exists (select from referral where referral.patient_id = upload.patient_id
           and referral.institution_id = upload.institution_id offset 0)
         order by released_at desc, id desc limit ${PAGE + 1}) released
       where member.user_id = $2 and member.institution_id = any($1::uuid[])
       order by released_at desc, id desc limit ${PAGE + 1}) upload
     ${JOINS} left join patient on patient.id = upload.patient_id
     left join inbox_item item on item.upload_id = upload.id and item.institution_id = upload.institution_id
     order by released_at desc, upload.id desc`,
    [institutionIds, readerId],
  )
  const page = toPage(
    'UploadPage',
    rows,
    (row) => [iso(row.released_at)!, row.id],
    (row) => ({
      __typename: 'Upload',
      id: row.id,
      number: row.number,
      title: row.title,
      examinedOn: row.examined_on,
      releasedAt: iso(row.released_at),
      openedAt: iso(row.opened_at),
      isUpdate: row.is_update,
      fileCount: row.file_count,
      referringDoctor: row.referring_doctor,
      accessionNumber: row.accession_number,
      inbox: {
        __typename: 'InboxItem',
        state: row.handled_at
          ? 'handled'
          : row.taken_at
            ? 'taken'
            : row.received_at >= row.joined_at
              ? 'new'
              : null,
        isMine: row.taken_by === readerId,
        takenByName: row.taken_by_name,
        takenAt: iso(row.taken_at),
        handledByName: row.handled_by_name,
        handledAt: iso(row.handled_at),
        former: row.former ?? [],
      },
      category: categoryOf(row),
      patient: patientOf(row) && {
        ...patientOf(row),
        sex: row.patient_sex,
        newsMarks: { __typename: 'NewsMarks', warnings: 0, unread: row.news },
      },
      institution: institutionOf(row),
    }),
  )
  return { inbox: { ...page, reasons: [] } }
}

/** The minimal implementation of each operation, by the operation's name. */
export const QUESTIONS: Readonly<Record<string, Responder>> = {
  Patients: search,
  PatientPage: patientPage,
  ReviewQueue: queue,
  Inbox: inbox,
}
