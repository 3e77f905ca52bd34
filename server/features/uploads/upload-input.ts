import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { optionalNote, optionalPastDay, optionalText, parseInput, requiredText } from '../../validation.ts'
import { resolveCategorySlug } from '../categories/find-category.ts'
import { getInstitution, getOpenInstitution } from '../institutions/get-institution.ts'
import { getPatient } from '../patients/get-patient.ts'
import { listReferrals } from '../patients/list-referrals.ts'
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
 * An upload's facts as written to the table. Patient, institution and category must exist for the actor, and the
 * institution must have referred the patient: otherwise nobody there could ever open it. `kept` is what the upload
 * has already: its category may stay after it has left the list, its institution after it was suspended. Within a transaction that holds the list of categories
 * (`keepCategoryList`): a saving that moves uploads must not come between this and the writing.
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
    if (referrals.length === 0) {
      throw invalid([
        {
          field: 'institutionId',
          message: 'Instituția nu are o trimitere pentru acest pacient. Adaugă întâi trimiterea.',
        },
      ])
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

/** The form may have been filled in before the category got another slug. */
async function readCategory(ctx: Ctx, slug: string | null, keptSlug: string | null): Promise<string | null> {
  if (!slug || slug === keptSlug || (await categoryExists(ctx.db, slug))) return slug
  const now = await resolveCategorySlug(ctx, slug)
  if (now === keptSlug || (now !== slug && (await categoryExists(ctx.db, now)))) return now
  throw invalid([{ field: 'categorySlug', message: 'Categoria nu există.' }])
}
