import type { CategoryFacts } from '../../../shared/categories.ts'
import { formatDateTime } from '../../../shared/romanian.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, Refusal } from '../../errors.ts'
import { announce } from '../../platform/events.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { canSaveCategories } from './categories.access.ts'
import {
  lockCategoryList,
  replaceCategoryList,
  selectCategoryList,
  selectLastSaving,
} from './categories.db.ts'
import { readCategoryInput } from './category-input.ts'
import { writeCategoryList } from './list-categories.ts'

/**
 * An administrator puts a whole list in the place of the former one [7.11] and gets it back with its new version. With a
 * `version` that is not the current one nothing changes (CONFLICT); a plain list has none, and the last one wins.
 *
 * A category is known by its slug: clients make up its id anew at every load [3.6], so the ids that come are not kept.
 * Uploads carry the slug as text, so one that leaves the list goes on to name and to filter them.
 */
export async function saveCategories(ctx: UserCtx, input: string): Promise<string> {
  if (!canSaveCategories(ctx.actor)) throw forbidden('save categories')
  const { tree, version } = readCategoryInput(input)
  return inTransaction(ctx, async (tx) => {
    await lockCategoryList(tx.db)
    const before = await selectCategoryList(tx.db)
    if (version !== null && version !== before.version) throw await staleList(tx)
    await replaceCategoryList(tx.db, tree, tx.actor.id, tx.now)
    await recordAudit(tx, { action: 'category.save', changes: listCategoryChanges(before.tree, tree) })
    await announce(tx.db, { kind: 'categories' })
    return writeCategoryList(await selectCategoryList(tx.db))
  })
}

async function staleList({ db }: UserCtx): Promise<Refusal> {
  const last = await selectLastSaving(db)
  const happened = last?.saved_at
    ? `Între timp, ${last.name} a salvat categoriile (${formatDateTime(last.saved_at.toISOString())}).`
    : 'Categoriile s-au schimbat între timp.'
  const message = `${happened} Reîncarcă-le, apoi aplică din nou modificarea.`
  return new Refusal('CONFLICT', 'stale version: categories', message, {
    fields: [{ field: 'version', message }],
  })
}

const describe = ({ name, icon, color }: CategoryFacts): string =>
  [name, icon, color].filter(Boolean).join(' · ')

/** What came, went and looks different, by slug; and, where those that stay stand in another order, the stretch that does. */
function listCategoryChanges(before: readonly CategoryFacts[], after: readonly CategoryFacts[]) {
  const was = new Map(before.map((category) => [category.slug, describe(category)]))
  const is = new Map(after.map((category) => [category.slug, describe(category)]))
  const changes = new Map<string, { from: string | null; to: string | null }>()
  for (const slug of new Set([...was.keys(), ...is.keys()])) {
    const [from = null, to = null] = [was.get(slug), is.get(slug)]
    if (from !== to) changes.set(`category:${slug}`, { from, to })
  }
  const stayedFrom = [...was.keys()].filter((slug) => is.has(slug))
  const stayedTo = [...is.keys()].filter((slug) => was.has(slug))
  const moved = stayedFrom.map((slug, place) => slug !== stayedTo[place])
  if (moved.includes(true)) {
    const stretch = (slugs: string[]) =>
      slugs.slice(moved.indexOf(true), moved.lastIndexOf(true) + 1).join(', ')
    changes.set('order', { from: stretch(stayedFrom), to: stretch(stayedTo) })
  }
  return Object.fromEntries(changes)
}
