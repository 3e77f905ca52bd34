import { sql } from 'kysely'
import { summarizeCnps } from '../../server/features/uploads/inspection/found-cnps.ts'
import type { Db } from '../../server/platform/database/database.ts'
import type { Storage } from '../../server/platform/storage/storage.ts'
import { writePdf } from '../demo/pdf.ts'
import { REPORT_TEMPLATES } from '../demo/report-templates.ts'
import { chance, pickWeighted } from './draws.ts'

type Staff = { administratorId: string; reviewerId: string; registrarId: string }

const templatesFor = (only: 'women' | 'adults' | undefined) =>
  REPORT_TEMPLATES.filter((template) => template.only === only).map(
    ({ title, category, weight }) => [`${title}\n${category}`, weight] as const,
  )

/**
 * Writes `count` uploads of the drawn people, oldest first: nearly all released; some of the newest two percent still wait.
 * The values of an upload are drawn by its number. A thousandth of the patients have many uploads.
 */
export async function insertUploads(
  tx: Db,
  { count, people, staff, now }: { count: number; people: number; staff: Staff; now: Date },
): Promise<void> {
  const template = pickWeighted(templatesFor(undefined), chance('m', 'template'))
  const forWomen = pickWeighted(templatesFor('women'), chance('m', 'template'))
  const forAdults = pickWeighted(templatesFor('adults'), chance('m', 'template'))
  // Each `offset 0` makes PostgreSQL evaluate the drawn values below it once, not at every use.
  await sql`
    insert into upload (id, number, patient_id, institution_id, category_slug, title, examined_on, accession_number,
      referring_doctor, note, source, state, state_since, released_at, created_by, version, created_at, updated_at)
    select pg_temp.id_at(created_at, m, 'upload'), 100000 + m,
      case when state <> 'unassigned' then patient_id end,
      case when state <> 'unassigned' then institution_id end,
      split_part(template, E'\n', 2), split_part(template, E'\n', 1), examined_on,
      'CD-' || to_char(examined_on, 'YYMMDD') || '-' || lpad(m::text, 7, '0'),
      case when state <> 'unassigned' then doctor end,
      case when ${chance('m', 'note')} < 0.05 then 'Pacientul roagă să fie anunțat telefonic.' end,
      case when ${chance('m', 'source')} < 0.85 then 'staff' else 'bulk' end,
      state, since, case when state = 'released' then since end,
      case when ${chance('m', 'author')} < 0.9 then ${staff.registrarId}::uuid else ${staff.reviewerId}::uuid end,
      case when state = 'receiving' then 1 when state in ('quarantined', 'unassigned', 'in_review') then 3
        when state = 'released' then 5 + 2 * again::int else 4 end,
      created_at, since
    from (
      select *,
        least(${now}::timestamptz, created_at + case
          when state = 'receiving' then interval '0'
          when state in ('quarantined', 'unassigned', 'in_review') then interval '90 seconds'
          else interval '1 minute' * (floor(1000 * (20 + 600 * ${chance('m', 'patience')} ^ 2)) / 1000) end) as since,
        created_at::date - floor(2 * ${chance('m', 'examined')})::int as examined_on
      from (
        select m, came.created_at, person.id as patient_id, institution.id as institution_id,
          ${chance('m', 'again')} < 0.05 as again,
          institution.doctors[1 + floor(3 * ${chance('m', 'doctor')})::int] as doctor,
          case
            when is_female and came.created_at::date - birth_date between 18 * 366 and 41 * 365
              and ${chance('m', 'special')} < 0.05 then ${forWomen}
            when came.created_at::date - birth_date >= 18 * 366 and ${chance('m', 'special')} > 0.8 then ${forAdults}
            else ${template} end as template,
          case when m > 0.98 * ${count}::int then case
              when fate < 0.25 then 'in_review' when fate < 0.29 then 'unassigned' when fate < 0.32 then 'receiving'
              when fate < 0.38 then 'accepted' when fate < 0.41 then 'rejected' when fate < 0.43 then 'quarantined'
              else 'released' end
            when fate < 0.006 then 'rejected' when fate < 0.012 then 'withdrawn' when fate < 0.013 then 'quarantined'
            when fate < 0.014 then 'accepted' else 'released' end as state
        from (
          select m, pg_temp.moment((m - 0.5) / ${count}::float8) as created_at, ${chance('m', 'fate')} as fate,
            -- Of those who had come by then.
            1 + floor((m - 0.5)::float8 / ${count}::float8 * ${people}::int
              * case when ${chance('m', 'often')} < 0.02 then 0.001 else 1 end * ${chance('m', 'patient')})::bigint as n
          from generate_series(1, ${count}::int) m offset 0) came
          join person on person.n = came.n
          left join referring institution on ${chance('m', 'sent by nobody')} > 0.05 and institution.place = case
            when second_institution is not null and ${chance('m', 'which institution')} < 0.4
            then second_institution else first_institution end offset 0) placed offset 0) told
    order by m`.execute(tx)
}

/** Writes one PDF row for each upload; only `insertRealFiles` stores bytes. */
export async function insertFiles(tx: Db): Promise<void> {
  await sql`
    insert into file (id, upload_id, position, name, type, kind, size, sha256, storage_key, page_count, facts, content_text,
      cnps, scan_result, created_at, facts_read_at)
    select pg_temp.id_at(created_at, number, 'file'), id, 1, accession_number || '.pdf',
      case when state = 'quarantined' then 'application/octet-stream' else 'application/pdf' end,
      case when state = 'quarantined' then 'other' else 'pdf' end,
      40000 + floor(2000000 * ${chance('number', 'size')} ^ 6)::bigint, sha256(int8send(number)),
      left(key, 2) || '/' || key,
      case when state not in ('quarantined', 'receiving') then 1 + floor(5 * ${chance('number', 'pages')} ^ 3)::int end,
      case when state = 'quarantined' then '{"reason": "damaged"}' else '{}' end::jsonb,
      case when state not in ('quarantined', 'receiving') then concat(title, E'\n', name, E'\nCNP ' || cnp) end,
      case when state not in ('quarantined', 'receiving') then jsonb_build_object(
        'found', case when cnp is null then '[]' else jsonb_build_array(cnp) end, 'isCut', false, 'only', cnp) end,
      case state when 'receiving' then 'pending' when 'quarantined' then 'refused' else 'unscanned' end, created_at,
      case when state not in ('quarantined', 'receiving') then created_at end
    from (
      select upload.*, cnp, surname || ' ' || given_names as name, md5('key ' || upload.number)::uuid::text as key
      from upload left join patient on patient.id = upload.patient_id offset 0) filed
    order by number`.execute(tx)
}

/** Writes what each file states: the name and the CNP of its text. */
export async function insertFacts(tx: Db): Promise<void> {
  await sql`
    insert into file_fact (file_id, position, kind, value, place, is_doubtful)
    select file.id, fact.position, fact.kind, fact.value, '{"in": "text", "page": 1}', false
    from file join upload on upload.id = file.upload_id join patient on patient.id = upload.patient_id
      cross join lateral (values (1, 'name', patient.surname || ' ' || patient.given_names), (2, 'cnp', patient.cnp))
        fact (position, kind, value)
    where upload.state not in ('quarantined', 'receiving') and fact.value is not null
    order by upload.number, fact.position`.execute(tx)
}

/** Writes the verdicts of the states; one in twenty released uploads was rejected first. */
export async function insertReviews(tx: Db, staff: Staff): Promise<void> {
  await sql`
    insert into review (id, upload_id, round, reviewer_id, verdict, reason_code, comment, created_at)
    select pg_temp.id_at(at, number, 'review ' || round), id, round,
      case when ${chance('number', 'reviewer')} < 0.85 then ${staff.reviewerId}::uuid else ${staff.administratorId}::uuid end,
      verdict, case when verdict = 'rejected' then 'incomplete' end,
      case when verdict = 'rejected' then 'Lipsește pagina cu concluziile.' end, at
    from (
      select id, number, 1 as round, 'rejected' as verdict, least(state_since, created_at + interval '10 minutes') as at
      from upload where state = 'released' and version > 5
      union all
      select id, number, case when version > 5 then 2 else 1 end,
        case when state = 'rejected' then 'rejected' else 'accepted' end, state_since
      from upload where state in ('accepted', 'released', 'rejected')) decided
    order by number, round`.execute(tx)
}

/** Writes openings: four of five results were opened by the institution's user, where it has one. */
export async function insertOpenings(tx: Db, now: Date): Promise<void> {
  await sql`
    insert into upload_opening (upload_id, user_id, opened_at, downloaded_at)
    select id, user_id, opened_at, case when ${chance('number', 'download')} < 0.75 then opened_at + interval '2 minutes' end
    from (select upload.id, number, user_id, released_at + interval '2 days' * ${chance('number', 'curiosity')} as opened_at
      from upload join user_institution using (institution_id)
      where state = 'released' and ${chance('number', 'opening')} < 0.8) opened
    where opened_at + interval '2 minutes' < ${now}::timestamptz
    order by number`.execute(tx)
}

/** Writes transfers: files that have arrived, of uploads that were not submitted yet. */
export async function insertTransfers(tx: Db): Promise<void> {
  await sql`
    insert into transfer (id, upload_id, user_id, name, size, sha256, received, state, file_id, created_at, updated_at)
    select md5('transfer ' || number), upload.id, created_by, name, size, sha256, size, 'finished', file.id, upload.created_at,
      upload.created_at
    from upload join file on file.upload_id = upload.id where state = 'receiving'`.execute(tx)
}

/** Uploads whose files have bytes: of those waiting for review, and of those released last. */
const REAL_FILES = 50

/** Stores one PDF for each upload that is likely to be opened, and updates the row of its file. */
export async function insertRealFiles(tx: Db, storage: Storage): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select file.id from file join (
      (select id from upload where state = 'in_review' order by state_since, id limit ${REAL_FILES})
      union all (select id from upload where state = 'released' order by released_at desc, id desc limit ${REAL_FILES})
      union all (select id from upload where state = 'released' and institution_id in (select institution_id from user_institution)
        order by released_at desc, id desc limit ${REAL_FILES})
    ) wanted on wanted.id = file.upload_id group by file.id`.execute(tx)
  const text = 'Document generat pentru probe. Nu este rezultatul nimănui.'
  const { bytes, pages } = await writePdf({ title: text, at: new Date(0) }, (page) => page.text(text))
  const stored = await Promise.all(rows.map(async ({ id }) => ({ id, ...(await storage.put(bytes)) })))
  await sql`
    update file set storage_key = stored.key, size = ${bytes.byteLength}, sha256 = ${stored[0]?.sha256 ?? null}::bytea,
      page_count = ${pages}, content_text = ${text}, cnps = ${JSON.stringify(summarizeCnps(text))}
    from unnest(${stored.map(({ id }) => id)}::uuid[], ${stored.map(({ key }) => key)}::text[]) as stored (id, key)
    where file.id = stored.id`.execute(tx)
  await sql`delete from file_fact where file_id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(tx)
}
