import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { optionalNote, optionalPastDay, optionalText, parseInput, requiredText } from '../../validation.ts'
import { resolveCategorySlug, unknownCategory } from '../categories/find-category.ts'
import { getInstitution, getOpenInstitution } from '../institutions/get-institution.ts'
import { getPatient } from '../patients/get-patient.ts'
import { isOpenReferral, listReferrals } from '../patients/list-referrals.ts'
import { categoryExists } from './uploads.db.ts'

const schema = z.object({
  patientId: z.string().nullish(),
  institutionId: z.string().nullish(),
  categorySlug: optionalText('Categoria'),
  title: requiredText('Titlul'),
  examinedOn: optionalPastDay('Data examinării'),
  accessionNumber: optionalText('Numărul de acces', 60),
  referringDoctor: optionalText('Medicul trimițător'),
  note: optionalNote('Nota'),
})

/**
 * Returns an upload's details as table columns; `kept`, the upload's current category and institution, may
 * stay even if removed or suspended. Throws BAD_USER_INPUT or NOT_FOUND unless the actor may read the
 * patient, the institution and the category, and the institution has a referral of the patient that has not ended,
 * without which it could not open the upload. The caller must have locked the category list (`blockCategorySaves`) and
 * merges of patients (`blockMerges`): both move uploads.
 */
export async function readUploadInput(
  ctx: Ctx,
  input: unknown,
  kept: { category_slug: string | null; institution_id: string | null } | null = null,
) {
  const read = parseInput(schema, input)
  const patient = read.patientId ? await getPatient(ctx, read.patientId) : null
  const find = read.institutionId === kept?.institution_id ? getInstitution : getOpenInstitution
  const institution = read.institutionId ? await find(ctx, read.institutionId) : null
  const categorySlug = await readCategory(ctx, read.categorySlug, kept?.category_slug ?? null)
  if (patient && institution) {
    const referrals = await listReferrals(ctx, patient.id, [institution.id])
    if (!referrals.some(isOpenReferral)) {
      const message =
        referrals.length === 0
          ? 'Instituția nu are o trimitere pentru acest pacient. Adaugă întâi trimiterea.'
          : 'Trimiterea instituției pentru acest pacient s-a încheiat. Redeschide-o sau adaugă alta.'
      throw invalid([{ field: 'institutionId', message }])
    }
  }
  return {
    patient_id: patient?.id ?? null,
    institution_id: institution?.id ?? null,
    category_slug: categorySlug,
    title: read.title,
    examined_on: read.examinedOn,
    accession_number: read.accessionNumber,
    referring_doctor: read.referringDoctor,
    note: read.note,
  }
}

/**
 * Resolves a slug that was renamed after the form was filled in. Throws BAD_USER_INPUT for an unknown
 * category.
 */
async function readCategory(ctx: Ctx, slug: string | null, keptSlug: string | null): Promise<string | null> {
  if (!slug || slug === keptSlug || (await categoryExists(ctx.db, slug))) return slug
  const now = await resolveCategorySlug(ctx, slug)
  if (now === keptSlug || (now !== slug && (await categoryExists(ctx.db, now)))) return now
  throw unknownCategory()
}
