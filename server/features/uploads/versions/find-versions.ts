import type { Ctx } from '../../../context.ts'
import { uploadScope } from '../uploads.access.ts'
import { selectUpload, type UploadRow } from '../uploads.db.ts'
import { selectFollowing, selectVersion, type VersionRow } from './versions.db.ts'

const ALL = { kind: 'all' } as const

/** Returns the upload that this one replaces, or will once it is released; also one that the actor may not read. */
export const findFormer = async (ctx: Ctx, { replaces_id: id }: { replaces_id: string | null }) =>
  id === null ? undefined : selectVersion(ctx.db, ALL, id)

/** Returns the versions before this one, the newest first; also those that the actor may not read. */
export async function findFormerVersions(ctx: Ctx, { replaces_id }: UploadRow): Promise<UploadRow[]> {
  const former = replaces_id === null ? undefined : await selectUpload(ctx.db, ALL, replaces_id, null)
  return former ? [former, ...(await findFormerVersions(ctx, former))] : []
}

/** Returns the upload that replaces this one, or will once it is released; also one that the actor may not read. */
export const findFollowing = (ctx: Ctx, { id }: { id: string }) => selectFollowing(ctx.db, ALL, id)

/** Whether the release of a new version leaves the result with its patient; of a former one that is final, it always does. */
export const isOfFormerPatient = (
  { patient_id }: { patient_id: string | null },
  former: VersionRow | undefined,
): boolean =>
  !former || former.state === 'withdrawn' || former.state === 'replaced' || former.patient_id === patient_id

/** Returns the upload that this one replaces, if the actor may read it; null otherwise. */
export const loadFormer = async (ctx: Ctx, { replaces_id: id }: { replaces_id: string | null }) =>
  id === null ? null : ((await selectVersion(ctx.db, uploadScope(ctx.actor), id)) ?? null)

/** Returns the upload that replaces this one, or will, if the actor may read it; null otherwise. */
export const loadFollowing = async (ctx: Ctx, { id }: { id: string }) =>
  (await selectFollowing(ctx.db, uploadScope(ctx.actor), id)) ?? null
