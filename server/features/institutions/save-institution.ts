import { z } from 'zod'
import { INSTITUTION_CODE, INSTITUTION_KINDS } from '../../../shared/institutions.ts'
import { nameKey } from '../../../shared/romania/names.ts'
import { ACCENTS } from '../../../shared/site/accents.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalid } from '../../errors.ts'
import { isUniqueViolation } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { optionalCui, optionalText, parseInput, requiredText } from '../../validation.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { deleteReplacedImage, isSiteImageStored } from '../site/store-settings.ts'
import { getInstitution } from './get-institution.ts'
import { institutionSearchText, PROFILE } from './institution-profile.ts'
import { canEditInstitutions } from './institutions.access.ts'
import { EDITABLE, type InstitutionRow, insertInstitution, updateInstitutionRow } from './institutions.db.ts'

const schema = z.object({
  name: requiredText('Câmpul „Denumire”'),
  shortName: optionalText('Denumirea scurtă', 60),
  kind: z.enum(INSTITUTION_KINDS),
  code: requiredText('Codul', 30).pipe(
    z
      .string()
      .regex(INSTITUTION_CODE.pattern, INSTITUTION_CODE.message)
      .transform((code) => code.toUpperCase()),
  ),
  cui: optionalCui,
  tradeRegister: optionalText('Numărul de la registrul comerțului', 60),
  ...PROFILE,
  mayUpload: z.boolean(),
  accent: z.enum(ACCENTS).nullish().default(null),
  logo: optionalText('Sigla'),
})

function readInstitutionInput(input: unknown) {
  const read = parseInput(schema, input)
  return {
    name: read.name,
    short_name: read.shortName,
    kind: read.kind,
    code: read.code,
    cui: read.cui,
    trade_register: read.tradeRegister,
    county: read.county,
    locality: read.locality,
    address: read.address,
    phone: read.phone,
    email: read.email,
    contacts: read.contacts,
    delivery: read.delivery,
    may_upload: read.mayUpload,
    accent: read.accent,
    logo: read.logo,
    name_key: nameKey(read.name),
    search: institutionSearchText(read.name, read.shortName, read.code, read.locality),
  }
}

/**
 * Runs the work and turns a violation of the unique code or the unique logo, which the indexes detect, into an error of
 * the field.
 */
async function requireUnique<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error, 'institution_logo')) throw unusableLogo()
    if (!isUniqueViolation(error, 'institution_code_key')) throw error
    throw invalid([{ field: 'code', message: 'Există deja o instituție cu acest cod.' }])
  }
}

const unusableLogo = () =>
  invalid([{ field: 'logo', message: 'Imaginea nu mai este disponibilă. Încarc-o din nou.' }])

/** Requires that the logo was uploaded as one; the image stays until the transaction ends. */
async function requireLogo(tx: UserCtx, logo: string | null): Promise<void> {
  if (logo !== null && !(await isSiteImageStored(tx, logo, 'institution_logo'))) throw unusableLogo()
}

/** Creates an institution, for an administrator. */
export function createInstitution(ctx: UserCtx, input: unknown): Promise<InstitutionRow> {
  if (!canEditInstitutions(ctx.actor)) throw forbidden('create institution')
  const values = readInstitutionInput(input)
  return requireUnique(() =>
    inTransaction(ctx, async (tx) => {
      await requireLogo(tx, values.logo)
      const institution = await insertInstitution(tx.db, { id: newId(), ...values })
      await recordAudit(tx, {
        action: 'institution.create',
        subject: { type: 'institution', id: institution.id },
      })
      return institution
    }),
  )
}

/** Changes an institution, for an administrator. Throws CONFLICT if `version` is not the current one. */
export function updateInstitution(
  ctx: UserCtx,
  { id, version, institution: input }: { id: string; version: number; institution: unknown },
): Promise<InstitutionRow> {
  if (!canEditInstitutions(ctx.actor)) throw forbidden('update institution')
  const values = readInstitutionInput(input)
  return requireUnique(() =>
    inTransaction(ctx, async (tx) => {
      const before = await getInstitution(tx, id)
      if (values.logo !== before.logo) await requireLogo(tx, values.logo)
      const after = await updateInstitutionRow(tx.db, id, version, tx.now, values)
      if (!after) throw conflict('institution')
      if (before.logo !== null && before.logo !== after.logo) await deleteReplacedImage(tx, before.logo)
      await recordAudit(tx, {
        action: 'institution.update',
        subject: { type: 'institution', id },
        changes: listChanges(before, after, EDITABLE),
      })
      return after
    }),
  )
}
