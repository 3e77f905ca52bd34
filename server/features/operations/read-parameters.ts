import { z } from 'zod'
import type { OperationKind } from '../../../shared/uploads/operations.ts'
import type { UserCtx } from '../../context.ts'
import { optionalText, parseInput, requiredText } from '../../validation.ts'
import { findCategory, unknownCategory } from '../categories/find-category.ts'
import { getOpenInstitution } from '../institutions/get-institution.ts'

/** What an operation of the kind `category`, `institution` or `title` gives to each upload; all null for the others. */
export type Parameters = {
  categorySlug: string | null
  institutionId: string | null
  title: string | null
  /** For uploads that are accepted or released already. */
  reason: string | null
  /** The name of the category or of the institution, or the title. */
  target: string | null
}

const NONE: Parameters = { categorySlug: null, institutionId: null, title: null, reason: null, target: null }

/** Throws BAD_USER_INPUT or NOT_FOUND unless the parameters of the kind are there and may be given to an upload. */
export async function readParameters(ctx: UserCtx, kind: OperationKind, input: unknown): Promise<Parameters> {
  if (kind !== 'category' && kind !== 'institution' && kind !== 'title') return NONE
  const { reason } = parseInput(z.object({ reason: optionalText('Motivul') }), input)
  return { ...NONE, reason, ...(await READ[kind](ctx, input)) }
}

const READ = {
  category: async (ctx: UserCtx, input: unknown) => {
    const read = parseInput(z.object({ categorySlug: requiredText('Categoria') }), input)
    const category = await findCategory(ctx, read.categorySlug)
    if (!category) throw unknownCategory()
    return { categorySlug: category.slug, target: category.name }
  },
  institution: async (ctx: UserCtx, input: unknown) => {
    const read = parseInput(z.object({ institutionId: requiredText('Instituția') }), input)
    const { id, name } = await getOpenInstitution(ctx, read.institutionId)
    return { institutionId: id, target: name }
  },
  title: async (_ctx: UserCtx, input: unknown) => {
    const { title } = parseInput(z.object({ title: requiredText('Titlul') }), input)
    return { title, target: title }
  },
}
