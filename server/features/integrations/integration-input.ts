import { z } from 'zod'
import { INTEGRATION_KINDS } from '../../../shared/integrations.ts'
import type { Ctx } from '../../context.ts'
import { parseInput, requiredText } from '../../validation.ts'
import { findCategory, unknownCategory } from '../categories/find-category.ts'
import { getOpenInstitution } from '../institutions/get-institution.ts'
import { isNetwork } from './addresses.ts'
import type { IntegrationValues } from './integrations.db.ts'

const MAX_ADDRESSES = 50

const schema = z.object({
  name: requiredText('Numele'),
  kind: z.enum(INTEGRATION_KINDS),
  institutionId: z.string().nullish(),
  categorySlug: z.string().nullish(),
  addresses: z
    .array(
      z
        .string()
        .transform((text) => text.trim().toLowerCase())
        .refine(isNetwork, {
          error: ({ input }) => `„${input}” nu este o adresă IP și nici o rețea (ca 10.0.0.0/8).`,
        }),
    )
    .max(MAX_ADDRESSES, `Cel mult ${MAX_ADDRESSES} de adrese.`)
    .transform((addresses) => [...new Set(addresses)]),
  submitsToReview: z.boolean(),
})

/** Reads what an administrator has chosen. Throws BAD_USER_INPUT, also for an unknown institution or category. */
export async function readIntegrationInput(tx: Ctx, input: unknown): Promise<IntegrationValues> {
  const read = parseInput(schema, input)
  if (read.institutionId) await getOpenInstitution(tx, read.institutionId)
  return {
    name: read.name,
    kind: read.kind,
    institution_id: read.institutionId || null,
    category_slug: read.categorySlug ? await readSlug(tx, read.categorySlug) : null,
    addresses: read.addresses,
    submits_to_review: read.submitsToReview,
  }
}

async function readSlug(tx: Ctx, given: string): Promise<string> {
  const category = await findCategory(tx, given)
  if (!category) throw unknownCategory()
  return category.slug
}
