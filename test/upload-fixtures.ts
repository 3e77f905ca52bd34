import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../server/platform/database/database.ts'
import { newId } from '../server/platform/ids.ts'
import type { Storage } from '../server/platform/storage/storage.ts'
import type { UploadState } from '../shared/uploads/upload-states.ts'

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Creates an institution; `users` belong to it. */
export async function createInstitution(db: Db, users: readonly string[] = []): Promise<string> {
  const id = newId()
  const code = randomBytes(6).toString('hex')
  const name = `Clinica ${code}`
  await db
    .insertInto('institution')
    .values({ id, name, kind: 'clinic', code, name_key: name.toLowerCase(), search: name.toLowerCase() })
    .execute()
  for (const user_id of users) {
    await db.insertInto('user_institution').values({ user_id, institution_id: id }).execute()
  }
  return id
}

/** Creates a patient, referred by `institutionId` where given. */
export async function createPatient(db: Db, createdBy: string, institutionId?: string): Promise<string> {
  const id = newId()
  await db
    .insertInto('patient')
    .values({ id, surname: 'Exemplu', given_names: 'Ana', name_key: 'exemplu ana' })
    .execute()
  if (institutionId) {
    await db
      .insertInto('referral')
      .values({ id: newId(), patient_id: id, institution_id: institutionId, created_by: createdBy })
      .execute()
  }
  return id
}

export async function createUpload(
  db: Db,
  upload: { createdBy: string; state?: UploadState; patientId?: string; institutionId?: string },
): Promise<string> {
  const id = newId()
  const { createdBy, state = 'receiving', patientId = null, institutionId = null } = upload
  await db
    .insertInto('upload')
    .values({
      id,
      title: 'Analize de sânge',
      source: 'staff',
      state,
      released_at: state === 'released' ? new Date() : null,
      patient_id: patientId,
      institution_id: institutionId,
      created_by: createdBy,
    })
    .execute()
  return id
}

/** Adds a received file to an upload and to storage. */
export async function addFile(
  services: { db: Db; storage: Storage },
  uploadId: string,
  bytes: Uint8Array,
  {
    name = 'raport.pdf',
    type = 'application/pdf',
    kind = 'pdf',
    scan = 'clean',
  }: {
    name?: string
    type?: string
    kind?: 'pdf' | 'image' | 'zip' | 'dicom' | 'other'
    scan?: 'pending' | 'clean' | 'refused'
  } = {},
): Promise<{ id: string; key: string }> {
  const id = newId()
  const { key, size } = await services.storage.put(bytes)
  const { count } = await services.db
    .selectFrom('file')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('upload_id', '=', uploadId)
    .executeTakeFirstOrThrow()
  await services.db
    .insertInto('file')
    .values({
      id,
      upload_id: uploadId,
      position: count + 1,
      name,
      type,
      kind,
      size,
      sha256: sha256(bytes),
      storage_key: key,
      scan_result: scan,
    })
    .execute()
  return { id, key }
}
