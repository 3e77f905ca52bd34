import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyPassword } from '../server/features/accounts/credentials/password.ts'
import { DEMO_PASSWORD, findPublicSite } from '../server/features/site/find-public-site.ts'
import { findSite } from '../server/features/site/find-site.ts'
import { selectFactsOf } from '../server/features/uploads/inspection/facts.db.ts'
import { inspectFile } from '../server/features/uploads/inspection/inspect-file.ts'
import { type Db, openDatabase } from '../server/platform/database/database.ts'
import { openDescriptor } from '../server/platform/sandbox/opened-file.ts'
import { openDiskStorage } from '../server/platform/storage/disk-storage.ts'
import type { Storage } from '../server/platform/storage/storage.ts'
import { FEATURES } from '../shared/access/features.ts'
import { parseEmail } from '../shared/email.ts'
import { parseCnp } from '../shared/romania/cnp.ts'
import { parseCui } from '../shared/romania/cui.ts'
import { nameKey, namePairs } from '../shared/romania/names.ts'
import { parsePhone } from '../shared/romania/phone.ts'
import { CATEGORY_DEPTH, parentSlug, SLUG_SEPARATOR } from '../shared/uploads/categories.ts'
import { cleanFileName } from '../shared/uploads/file-names.ts'
import { UPLOAD_STATES } from '../shared/uploads/upload-state-list.ts'
import { createDatabase } from '../test/databases.ts'
import { seedDemo } from './seed.ts'

const NOW = new Date('2026-11-20T11:30:00Z')
const DAY = 86_400_000

const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})

async function seedFresh(): Promise<{ db: Db; storage: Storage }> {
  const { connection, drop } = await createDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'dosar-seed-'))
  const db = openDatabase(connection, () => undefined)
  const storage = await openDiskStorage(folder)
  ends.push(async () => {
    await db.destroy()
    await drop()
    await rm(folder, { recursive: true, force: true })
  })
  await seedDemo({ db, storage, now: NOW })
  return { db, storage }
}

let db: Db
let storage: Storage
beforeAll(async () => {
  ;({ db, storage } = await seedFresh())
})

describe('the demo organisation', () => {
  it('signs in each account with the password that the sign-in page offers', async () => {
    const users = await db.selectFrom('app_user').selectAll().orderBy('email').execute()
    expect(
      users.map(({ email, role, status, features }) => [email, role, status, [...features].sort()]),
    ).toEqual([
      ['admin@dosar.test', 'admin', 'active', []],
      ['institutia1-coleg@dosar.test', 'institution', 'active', []],
      ['institutia1@dosar.test', 'institution', 'active', []],
      ['institutia2@dosar.test', 'institution', 'active', []],
      ['institutia3@dosar.test', 'institution', 'active', []],
      ['registratura@dosar.test', 'staff', 'active', ['patient::files', 'patient::news']],
      [
        'verificare@dosar.test',
        'staff',
        'active',
        ['admin::review-files', 'patient::files', 'patient::news'],
      ],
    ])
    const { demoAccounts, demoPassword } = await findPublicSite(db, {
      production: false,
      backendHosts: [],
      realtime: true,
    })
    expect(demoAccounts.map(({ email }) => email).sort()).toEqual(users.map(({ email }) => email))
    expect(demoPassword).toBe(DEMO_PASSWORD)
    for (const { password_hash } of users)
      expect(await verifyPassword(DEMO_PASSWORD, password_hash)).toBe(true)
    const places = await db.selectFrom('user_institution').selectAll().execute()
    expect(new Set(places.map(({ institution_id }) => institution_id)).size).toBe(3)
    expect(new Set(places.map(({ user_id }) => user_id)).size).toBe(4)
  })

  it('has all features and its own name among the settings', async () => {
    const site = await findSite(db)
    expect(site.features).toEqual(FEATURES)
    expect(site).toMatchObject({ name: 'Centrul de Diagnostic Demo', color_scheme: 'lime', locales: ['ro'] })
    expect(parseEmail(site.from_email)).toBe(site.from_email)
  })

  it('has three institutions with valid CUIs and phones', async () => {
    const institutions = await db.selectFrom('institution').selectAll().execute()
    expect(institutions.map(({ kind }) => kind).sort()).toEqual(['clinic', 'hospital', 'practice'])
    for (const { cui, phone, email } of institutions) {
      expect(parseCui(cui ?? '')).toMatchObject({ ok: true })
      expect(parsePhone(phone ?? '')).toEqual({ ok: true, e164: phone })
      expect(parseEmail(email ?? '')).toBe(email)
    }
  })

  it('has categories on three levels, each under an existing category', async () => {
    const categories = await db.selectFrom('category').selectAll().orderBy('position').execute()
    const slugs = categories.map(({ slug }) => slug)
    expect(Math.max(...slugs.map((slug) => slug.split(SLUG_SEPARATOR).length))).toBe(CATEGORY_DEPTH)
    for (const { slug, color } of categories) {
      const parent = parentSlug(slug)
      if (parent !== null) expect(slugs).toContain(parent)
      expect(color).toMatch(/^#[0-9a-f]{6}$/)
    }
  })
})

describe('the demo patients', () => {
  it('have valid CNPs that agree with birth date and sex, some of the county code 70, some none', async () => {
    const patients = await db.selectFrom('patient').selectAll().execute()
    expect(patients.length).toBeGreaterThanOrEqual(55)
    const today = NOW.toISOString().slice(0, 10)
    for (const { cnp, birth_date, sex } of patients) {
      if (cnp === null) continue
      const parsed = parseCnp(cnp, today)
      expect(parsed).toMatchObject({ ok: true, sex })
      if (parsed.ok && parsed.birthDate !== null) expect(parsed.birthDate).toBe(birth_date)
    }
    const newKind = patients.filter(({ cnp }) => cnp?.slice(7, 9) === '70')
    expect(newKind.filter(({ birth_date }) => birth_date! >= '2024-05-08').length).toBeGreaterThanOrEqual(3)
    expect(patients.filter(({ cnp }) => cnp === null).length).toBeGreaterThanOrEqual(3)
    expect(patients.some(({ surname, given_names }) => `${surname} ${given_names}`.length > 80)).toBe(true)
  })

  it('are found by name and sorted by name', async () => {
    const patients = await db.selectFrom('patient').selectAll().execute()
    const pairs = await db.selectFrom('patient_name_pair').selectAll().execute()
    for (const { id, surname, given_names, previous_surname, name_key } of patients) {
      expect(name_key).toBe(nameKey(`${surname} ${given_names}`))
      const own = pairs.filter(({ patient_id }) => patient_id === id)
      expect(own).toHaveLength(namePairs([surname, given_names, previous_surname ?? '']).length)
      expect(own.every((pair) => pair.name_key === name_key)).toBe(true)
    }
  })

  it('are each referred by an institution', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from patient where not exists (select from referral where patient_id = patient.id)`.execute(
      db,
    )
    expect(rows[0]?.count).toBe(0)
  })
})

describe('the demo uploads', () => {
  it('cover every state, over the last two months, none in the future', async () => {
    const uploads = await db.selectFrom('upload').selectAll().execute()
    expect(uploads.length).toBeGreaterThanOrEqual(140)
    expect(new Set(uploads.map(({ state }) => state))).toEqual(new Set(UPLOAD_STATES))
    for (const { created_at, state_since, released_at } of uploads) {
      expect(created_at.getTime()).toBeGreaterThan(NOW.getTime() - 62 * DAY)
      expect(state_since.getTime()).toBeGreaterThanOrEqual(created_at.getTime())
      expect(state_since.getTime()).toBeLessThanOrEqual(NOW.getTime())
      if (released_at) expect(released_at.getTime()).toBeGreaterThan(created_at.getTime())
    }
    expect(Math.min(...uploads.map(({ created_at }) => created_at.getTime()))).toBeLessThan(
      NOW.getTime() - 45 * DAY,
    )
  })

  it('have what their state requires: a patient, a verdict, a release, a reason', async () => {
    const uploads = await db.selectFrom('upload').selectAll().execute()
    const reviews = await db.selectFrom('review').selectAll().orderBy('round').execute()
    const categories = await db.selectFrom('category').select(['slug', 'release']).execute()
    const releases = new Map(categories.map(({ slug, release }) => [slug, release]))
    for (const upload of uploads) {
      const rounds = reviews.filter(({ upload_id }) => upload_id === upload.id)
      expect(rounds.map(({ round }) => round)).toEqual(rounds.map((_, place) => place + 1))
      const last = rounds.at(-1)
      if (upload.state === 'released' || upload.state === 'replaced') {
        expect(last?.verdict).toBe('accepted')
        expect(upload.released_at).toEqual(last?.created_at)
      }
      if (upload.state === 'accepted') {
        expect(last?.verdict).toBe('accepted')
        expect(releases.get(upload.category_slug!)).toBe('by_hand')
      }
      if (upload.state === 'rejected') expect(last?.reason_code).toBeTruthy()
      if (['in_review', 'accepted', 'released', 'rejected', 'replaced'].includes(upload.state)) {
        expect(upload.patient_id).not.toBeNull()
      }
      if (upload.state === 'unassigned') expect(upload.patient_id).toBeNull()
    }
    const replaced = uploads.filter(({ state }) => state === 'replaced').map(({ id }) => id)
    const corrections = uploads.filter(({ replaces_id }) => replaces_id !== null)
    expect(corrections.map(({ replaces_id }) => replaces_id).sort()).toEqual(replaced.sort())
    expect(corrections.every(({ state, revision }) => state === 'released' && revision === 2)).toBe(true)
  })

  it('belong to an institution that referred the patient, and to a category that exists', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from upload
      where (patient_id is not null and institution_id is not null and not exists (
          select from referral r where r.patient_id = upload.patient_id and r.institution_id = upload.institution_id))
        or (category_slug is not null and not exists (select from category where slug = category_slug))`.execute(
      db,
    )
    expect(rows[0]?.count).toBe(0)
  })

  it('were opened by some institutions and not by others, after their release, by a user of the institution', async () => {
    const openings = await db
      .selectFrom('upload_opening')
      .innerJoin('upload', 'upload.id', 'upload_opening.upload_id')
      .leftJoin('user_institution', (join) =>
        join
          .onRef('user_institution.user_id', '=', 'upload_opening.user_id')
          .onRef('user_institution.institution_id', '=', 'upload.institution_id'),
      )
      .select(['released_at', 'opened_at', 'downloaded_at', 'user_institution.user_id as insider'])
      .execute()
    const released = await db.selectFrom('upload').select('id').where('state', '=', 'released').execute()
    expect(openings.length).toBeGreaterThan(20)
    expect(openings.length).toBeLessThan(released.length)
    for (const { released_at, opened_at, downloaded_at, insider: memberId } of openings) {
      expect(memberId).not.toBeNull()
      expect(opened_at > released_at!).toBe(true)
      if (downloaded_at) expect(downloaded_at > opened_at).toBe(true)
      expect(opened_at <= NOW).toBe(true)
    }
  })

  it('have each opening and download in the audit log, which says who has opened a result', async () => {
    const { rows } = await sql`
      (select upload_id, user_id, 'upload.read' as action, opened_at as at from upload_opening
       union all select upload_id, user_id, 'upload.download', downloaded_at from upload_opening where downloaded_at is not null)
      except select subject_id, actor_id, action, at from audit_event where role = 'institution'`.execute(db)
    expect(rows).toEqual([])
  })
})

describe('the demo files', () => {
  it('are stored byte for byte, are all different, and are small in total', async () => {
    const files = await db.selectFrom('file').selectAll().execute()
    let total = 0
    for (const file of files) {
      const bytes = await buffer(await storage.read(file.storage_key))
      total += bytes.length
      expect(bytes.length).toBe(file.size)
      expect(createHash('sha256').update(bytes).digest()).toEqual(file.sha256)
      expect(cleanFileName(file.name)).toBe(file.name)
    }
    expect(new Set(files.map(({ kind }) => kind))).toEqual(new Set(['pdf', 'image', 'zip', 'other']))
    expect(total).toBeLessThan(40 * 1024 * 1024)
    // Equal bytes would be reported as one result uploaded twice.
    expect(new Set(files.map(({ sha256 }) => sha256.toString('hex'))).size).toBe(files.length)
  })

  it('have the type, the text and the facts that inspection finds in them, with the patient in the text of the PDFs', async () => {
    const files = await db
      .selectFrom('file')
      .innerJoin('upload', 'upload.id', 'file.upload_id')
      .leftJoin('patient', 'patient.id', 'upload.patient_id')
      .selectAll('file')
      .select(['state', 'title', 'cnp', 'surname', 'given_names'])
      .orderBy('file.id')
      .execute()
    for (const file of files) {
      const handle = await storage.open(file.storage_key)
      // The processor time of the whole process counts, also that of the tests before.
      const limits = { seconds: Number.POSITIVE_INFINITY, memory: 1024 ** 3 }
      const task = { name: file.name, mayConfirm: false, limits }
      const inspection = await inspectFile(task, openDescriptor(handle.fd))
      await handle.close()
      expect(inspection.facts).toEqual(file.facts)
      const stated = inspection.accepted && file.scan_result !== 'pending' ? inspection.stated : []
      expect(await selectFactsOf(db, [file.id])).toEqual(
        stated.map(({ isDoubtful = false, ...fact }) => ({
          file_id: file.id,
          ...fact,
          is_doubtful: isDoubtful,
        })),
      )
      expect(file.facts_read_at !== null).toBe(file.scan_result === 'unscanned')
      expect(inspection.accepted).toBe(file.state !== 'quarantined')
      if (!inspection.accepted) {
        expect(file.scan_result).toBe('refused')
        continue
      }
      expect(file.scan_result).toBe(file.state === 'checking' ? 'pending' : 'unscanned')
      const { kind, type, pageCount, text } = inspection
      expect({ kind, type, pageCount }).toEqual({
        kind: file.kind,
        type: file.type,
        pageCount: file.page_count,
      })
      if (kind !== 'pdf' || file.state !== 'released') continue
      expect(pageCount).toBeGreaterThan(1)
      expect(text).toContain(file.title)
      // Every page names its patient: a page printed alone must not be mistaken for another patient's.
      expect(text?.split(`${file.surname} ${file.given_names} · `).length).toBe(pageCount! + 1)
      if (file.cnp) expect(text?.split(file.cnp).length).toBe(pageCount! + 2)
      if (file.cnp) expect(file.content_text).toContain(file.cnp)
    }
  })

  it('name another patient than the upload where a reviewer ought to notice it', async () => {
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*) from upload
      join file on file.upload_id = upload.id and file.kind = 'pdf'
      join patient on patient.id = upload.patient_id
      where content_text not like '%' || patient.surname || '%' and state in ('in_review', 'released')
      group by state`.execute(db)
    expect(rows).toEqual([{ state: 'in_review', count: 2 }])
  })
})

it('has an inbox that two people share, a question that waits for the organisation, and a request for access', async () => {
  const items = await db.selectFrom('inbox_item').selectAll().execute()
  const of = (email: string) =>
    db.selectFrom('app_user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const colleague = await of('institutia1-coleg@dosar.test')
  const own = await of('institutia1@dosar.test')
  const takers = items.filter(({ handled_by }) => handled_by === null).map(({ taken_by }) => taken_by)
  expect(takers).toContain(colleague.id)
  expect(takers).toContain(own.id)
  expect(takers).toContain(null)
  expect(items.filter(({ handled_by }) => handled_by !== null).length).toBeGreaterThan(5)
  for (const { taken_at, handled_at } of items)
    for (const at of [taken_at, handled_at]) if (at) expect(at.getTime()).toBeLessThanOrEqual(NOW.getTime())

  const [question, ...others] = await db.selectFrom('question').selectAll().execute()
  expect(others).toEqual([])
  const messages = await db.selectFrom('question_message').selectAll().orderBy('position').execute()
  expect(messages.map(({ by_organisation }) => by_organisation)).toEqual([false, true, false])
  expect(question).toMatchObject({ state: 'open', message_count: 3, waiting_since: messages[2]!.created_at })
  expect(messages[2]!.created_at.getTime()).toBeLessThanOrEqual(NOW.getTime())

  const [request] = await db.selectFrom('access_request').selectAll().execute()
  const known = await db
    .selectFrom('referral')
    .innerJoin('patient', 'patient.id', 'referral.patient_id')
    .select('referral.id')
    .where('patient.cnp', '=', request!.cnp)
    .where('institution_id', '=', request!.institution_id)
    .execute()
  expect([request!.state, known]).toEqual(['sent', []])
})

it('has news about a patient: a warning, news that is pinned and a note, each with other readers', async () => {
  const news = await db.selectFrom('news').selectAll().orderBy('created_at').execute()
  expect(news.map(({ kind, visibility }) => [kind, visibility])).toEqual([
    ['warning', 'institution'],
    ['note', 'staff'],
    ['news', 'patient'],
  ])
  expect(new Set(news.map(({ patient_id }) => patient_id)).size).toBe(1)
  for (const { written_at } of news) expect(written_at.getTime()).toBeLessThanOrEqual(NOW.getTime())
})

it('seeds the same rows and the same bytes for the same moment', async () => {
  const again = await seedFresh()
  const SECRETS = new Set(['storage_key', 'password_hash'])
  const dump = async (from: Db) => {
    const tables = [
      'site_setting',
      'institution',
      'app_user',
      'user_institution',
      'patient',
      'patient_name_pair',
      'referral',
      'category',
      'upload',
      'file',
      'file_fact',
      'review',
      'upload_opening',
      'inbox_item',
      'question',
      'question_message',
      'access_request',
      'news',
    ] as const
    const rows: Record<string, unknown[]> = {}
    for (const table of tables) {
      const all = await from.selectFrom(table).selectAll().execute()
      rows[table] = all
        .map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !SECRETS.has(column))))
        .sort()
    }
    return rows
  }
  expect(await dump(again.db)).toEqual(await dump(db))
  // Making, writing and reading a second demo takes more than half a minute on a slow machine.
}, 120_000)
