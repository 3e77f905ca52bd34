import { isFinal } from '../../../../shared/uploads/upload-states.ts'
import type { Ctx } from '../../../context.ts'
import { isId } from '../../../platform/ids.ts'
import { uploadScope } from '../uploads.access.ts'
import { lockUploads, selectUpload, type UploadRow } from '../uploads.db.ts'
import {
  selectFollowing,
  selectVersion,
  selectVersionsOfPatient,
  type VersionRow,
  versionsAround,
} from './versions.db.ts'

const ALL = { kind: 'all' } as const

/** Returns the upload that this one replaces, or will once it is released; also one that the actor may not read. */
export const findFormer = async (ctx: Ctx, { replaces_id: id }: { replaces_id: string | null }) =>
  id === null ? undefined : selectVersion(ctx.db, ALL, id)

/** Returns the versions before this one, the newest first; also those that the actor may not read. */
export async function findFormerVersions(ctx: Ctx, { replaces_id }: UploadRow): Promise<UploadRow[]> {
  const former = replaces_id === null ? undefined : await selectUpload(ctx.db, ALL, replaces_id, null)
  return former ? [former, ...(await findFormerVersions(ctx, former))] : []
}

/** Locks all versions of the result that are of the upload's patient, before the upload itself is locked. */
export async function lockAllVersions({ db }: Ctx, id: string): Promise<void> {
  if (isId(id)) await lockUploads(db, versionsAround(id))
}

/**
 * Returns what a move of the upload to another patient moves, the upload first: one that is not final takes along all
 * versions of the result that are of its patient.
 */
export async function findVersionsToMove(ctx: Ctx, upload: UploadRow): Promise<[UploadRow, ...UploadRow[]]> {
  if (isFinal(upload.state)) return [upload]
  const ids = await selectVersionsOfPatient(ctx.db, upload.id)
  const others = await Promise.all(
    ids.filter((id) => id !== upload.id).map((id) => selectUpload(ctx.db, ALL, id, null)),
  )
  return [upload, ...others.filter((row) => row !== undefined)]
}

/** Returns the upload that replaces this one, or will once it is released; also one that the actor may not read. */
export const findFollowing = (ctx: Ctx, { id }: { id: string }) => selectFollowing(ctx.db, ALL, id)

/**
 * Whether the release of a new version leaves the result with its patient; of a former one that is final, it always
 * does.
 */
export const isOfFormerPatient = (
  { patient_id }: { patient_id: string | null },
  former: VersionRow | undefined,
): boolean => !former || isFinal(former.state) || former.patient_id === patient_id

/** Returns the upload that this one replaces, if the actor may read it; null otherwise. */
export const loadFormer = async (ctx: Ctx, { replaces_id: id }: { replaces_id: string | null }) =>
  id === null ? null : ((await selectVersion(ctx.db, uploadScope(ctx.actor), id)) ?? null)

/** Returns the upload that replaces this one, or will, if the actor may read it; null otherwise. */
export const loadFollowing = async (ctx: Ctx, { id }: { id: string }) =>
  (await selectFollowing(ctx.db, uploadScope(ctx.actor), id)) ?? null
