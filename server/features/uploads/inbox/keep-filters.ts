import { z } from 'zod'
import { ALL_DEPARTMENTS, INBOX_VIEWS, type InboxFilters } from '../../../../shared/uploads/inbox.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { optionalOneOf, optionalPastDay, optionalText, parseInput } from '../../../validation.ts'
import { findCategory } from '../../categories/find-category.ts'
import { uploadScope } from '../uploads.access.ts'
import { selectKeptFilters, upsertKeptFilters } from './kept-filters.db.ts'

/**
 * Returns the filters that the actor has kept, without what no longer exists or is no longer the actor's; a category that
 * was moved has its new slug. None for an actor without an inbox. Writes no audit row.
 */
export async function readKeptFilters(ctx: UserCtx): Promise<InboxFilters> {
  const scope = uploadScope(ctx.actor)
  if (scope.kind !== 'released-to') return {}
  const kept = await selectKeptFilters(ctx.db, ctx.actor.id, scope.institutionIds)
  if (!kept) return {}
  const category = kept.category_slug ? await findCategory(ctx, kept.category_slug) : undefined
  const department = kept.all_departments ? ALL_DEPARTMENTS : kept.department_id
  const view = INBOX_VIEWS.find((each) => each === kept.view)
  return {
    ...(view && { view }),
    ...(kept.since && { since: kept.since }),
    ...(kept.until && { until: kept.until }),
    ...(category && { category: category.slug }),
    ...(kept.doctor && { doctor: kept.doctor }),
    ...(kept.institution_id && { institution: kept.institution_id }),
    ...(department && { department }),
  }
}

const id = z
  .string()
  .nullish()
  .transform((value) => (value && isId(value) ? value : null))

const schema = z.object({
  view: optionalOneOf('Starea', INBOX_VIEWS),
  since: optionalPastDay('Prima zi'),
  until: optionalPastDay('Ultima zi'),
  category: optionalText('Categoria'),
  doctor: optionalText('Medicul'),
  institutionId: id,
  departmentId: id,
  ownDepartments: z.boolean().nullish(),
})

/**
 * Keeps the filters that the actor's next visit begins with, in place of the former ones. A preference of the actor alone,
 * so it leaves no audit row.
 */
export async function keepFilters(ctx: UserCtx, input: Partial<z.input<typeof schema>>): Promise<void> {
  if (uploadScope(ctx.actor).kind !== 'released-to') throw forbidden('keep filters')
  const { view, since, until, category, doctor, institutionId, departmentId, ownDepartments } = parseInput(
    schema,
    input,
  )
  await upsertKeptFilters(ctx.db, ctx.actor.id, {
    view,
    since,
    until,
    category_slug: category,
    doctor,
    institution_id: institutionId,
    department_id: departmentId,
    all_departments: ownDepartments === false && departmentId === null,
  })
}
