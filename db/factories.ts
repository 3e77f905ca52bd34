import { randomInt } from 'node:crypto'
import type { Insertable } from 'kysely'
import { replaceNamePairs } from '../server/features/patients/patients.db.ts'
import { replaceFacts } from '../server/features/uploads/inspection/facts.db.ts'
import { factsOfCnps, summarizeCnps } from '../server/features/uploads/inspection/found-cnps.ts'
import { hashToken, newToken } from '../server/platform/crypto/keys.ts'
import type { Db } from '../server/platform/database/database.ts'
import type { DB } from '../server/platform/database/types.generated.ts'
import { newId } from '../server/platform/ids.ts'
import type { Storage } from '../server/platform/storage/storage.ts'
import { makeCnp } from '../shared/romania/cnp.ts'
import { nameKey, searchWords } from '../shared/romania/names.ts'
import type { FileFact } from '../shared/uploads/file-facts.ts'
import { isAccepted } from '../shared/uploads/files.ts'
import { writePdf } from './demo/pdf.ts'

/** Each factory inserts one valid row, with the rows it needs, and returns it; `over` replaces the default values. */
type Row<Table extends keyof DB> = Insertable<DB[Table]>
type Over<Table extends keyof DB> = Partial<Row<Table>>

/** Returns a text that is different at every call, also between test files that share a database. */
const serial = () => newId().slice(-8)

export function makeInstitution(db: Db, over: Over<'institution'> = {}) {
  const row: Row<'institution'> = {
    id: newId(),
    name: `Clinica ${serial()}`,
    kind: 'clinic',
    code: `CLINICA-${serial()}`.toUpperCase(),
    county: 'Cluj',
    locality: 'Cluj-Napoca',
    name_key: '',
    search: '',
    ...over,
  }
  return db
    .insertInto('institution')
    .values({
      ...row,
      name_key: nameKey(row.name),
      search: searchWords([row.name, row.short_name, row.code, row.locality].join(' ')).join(' '),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Makes staff with the files of patients by default; `institutionIds` are the institutions of a user with the
 * role `institution`.
 */
export async function makeUser(
  db: Db,
  { institutionIds = [], ...over }: Over<'app_user'> & { institutionIds?: readonly string[] } = {},
) {
  const user = await db
    .insertInto('app_user')
    .values({
      id: newId(),
      email: `persoana-${serial()}@exemplu.test`,
      name: 'Ilinca Țurcanu',
      role: 'staff',
      status: 'active',
      features: over.role === undefined || over.role === 'staff' ? ['patient::files'] : [],
      ...over,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (institutionIds.length > 0) {
    await db
      .insertInto('user_institution')
      .values(
        institutionIds.map((institution_id) => ({
          user_id: user.id,
          institution_id,
          joined_at: user.created_at,
        })),
      )
      .execute()
  }
  return user
}

/** Makes a one-time link, valid for an hour by default; returns its token, of which only the hash is stored. */
export async function makeAccountLink(
  db: Db,
  over: Pick<Row<'account_link'>, 'user_id' | 'purpose'> & Over<'account_link'>,
): Promise<string> {
  const token = newToken()
  await db
    .insertInto('account_link')
    .values({
      id: newId(),
      token_hash: hashToken(token),
      expires_at: new Date(Date.now() + 3_600_000),
      ...over,
    })
    .execute()
  return token
}

/** Makes a patient with its search entries; by default born 1950 to 1999, with a valid CNP. */
export async function makePatient(db: Db, over: Over<'patient'> = {}) {
  const sex = over.sex ?? 'female'
  const born = new Date(Date.UTC(1950, 0, 1 + randomInt(18_000))).toISOString().slice(0, 10)
  const birthDate = over.birth_date ?? born
  const row: Row<'patient'> = {
    id: newId(),
    surname: 'Popescu',
    given_names: sex === 'female' ? 'Ana-Maria' : 'Ștefan',
    cnp: makeCnp({ sex, birthDate, county: randomInt(1, 47), serial: randomInt(1, 1000) }),
    birth_date: birthDate,
    sex,
    name_key: '',
    ...over,
  }
  const name_key = nameKey(`${row.surname} ${row.given_names}`)
  const patient = await db
    .insertInto('patient')
    .values({ ...row, name_key })
    .returningAll()
    .executeTakeFirstOrThrow()
  await replaceNamePairs(db, patient)
  return patient
}

export async function makeReferral(
  db: Db,
  over: Over<'referral'> & Pick<Row<'referral'>, 'patient_id' | 'institution_id'>,
) {
  const created_by = over.created_by ?? (await makeUser(db)).id
  return db
    .insertInto('referral')
    .values({ id: newId(), doctor: 'Dr. Vlad Hățieganu', ...over, created_by })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function makeCategory(db: Db, over: Over<'category'> = {}) {
  return db
    .insertInto('category')
    .values({
      id: newId(),
      slug: `categorie-${serial()}`,
      name: 'Analize de laborator',
      icon: 'documents',
      color: '#4d7c0f',
      position: 0,
      ...over,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A file before it is stored; the defaults are those of a clean PDF of one page, which states the CNPs of its text. */
export type FileToMake = { bytes: Uint8Array; stated?: readonly FileFact[] } & Omit<
  Over<'file'>,
  'upload_id' | 'size' | 'sha256' | 'storage_key'
>

/** Makes an upload without files: by default one that still receives them, for no patient yet. */
export async function makeEmptyUpload(db: Db, over: Over<'upload'> = {}) {
  const state = over.state ?? 'receiving'
  return db
    .insertInto('upload')
    .values({
      id: newId(),
      title: `Ecografie abdominală ${serial()}`,
      source: 'staff',
      released_at: state === 'released' ? (over.state_since ?? new Date()) : null,
      ...over,
      state,
      created_by: over.created_by ?? (await makeUser(db)).id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Makes an upload and stores its files: by default one small PDF, in review, for a new patient, created by a new staff
 * account. A `released` upload has its release time.
 */
export async function makeUpload(
  db: Db,
  storage: Storage,
  { files, ...over }: Over<'upload'> & { files?: readonly FileToMake[] } = {},
) {
  const patient_id = over.patient_id === undefined ? (await makePatient(db)).id : over.patient_id
  const upload = await makeEmptyUpload(db, { state: 'in_review', ...over, patient_id })
  const stored = []
  for (const file of files ?? [await makePdf(upload.title)]) {
    stored.push(await makeFile(db, storage, { created_at: upload.created_at, ...file, upload_id: upload.id }))
  }
  return { ...upload, files: stored }
}

async function makePdf(text: string): Promise<FileToMake> {
  const { bytes } = await writePdf({ title: text, at: new Date(0) }, (page) => page.text(text))
  return { bytes, content_text: text }
}

/** Stores a file and adds it to its upload, after the upload's other files. */
export async function makeFile(
  db: Db,
  storage: Storage,
  { bytes, facts = {}, content_text, stated, ...over }: FileToMake & Pick<Row<'file'>, 'upload_id'>,
) {
  const cnps = content_text ? summarizeCnps(content_text) : null
  const { key, size, sha256 } = await storage.put(bytes)
  const { count } = await db
    .selectFrom('file')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('upload_id', '=', over.upload_id)
    .executeTakeFirstOrThrow()
  const kind = over.kind ?? 'pdf'
  const file = await db
    .insertInto('file')
    .values({
      id: newId(),
      name: 'rezultat.pdf',
      type: 'application/pdf',
      kind,
      page_count: kind === 'pdf' ? 1 : null,
      scan_result: 'unscanned',
      content_text: content_text ?? null,
      position: count,
      cnps: cnps && JSON.stringify(cnps),
      facts_read_at: isAccepted(over.scan_result ?? 'unscanned') ? (over.created_at ?? new Date()) : null,
      ...over,
      facts: JSON.stringify(facts),
      size,
      sha256,
      storage_key: key,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await replaceFacts(db, file.id, stated ?? (file.cnps && cnps ? factsOfCnps(cnps) : []))
  return file
}
