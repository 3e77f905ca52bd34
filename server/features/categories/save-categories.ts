import { formatDateTime } from '../../../shared/romania/romanian.ts'
import type { CategoryList, SlugMoves, StoredCategory } from '../../../shared/uploads/categories.ts'
import { type CategoryPolicy, mapPolicy, POLICY_FIELDS } from '../../../shared/uploads/category-policy.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, UserError } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { publish } from '../../platform/events.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { canSaveCategories } from './categories.access.ts'
import {
  lockCategoryList,
  replaceCategoryList,
  selectCategoryList,
  selectLastSaving,
} from './categories.db.ts'
import { listCategoryChanges } from './category-changes.ts'
import { readCategoryInput, type SentCategory } from './category-input.ts'
import { countUploadsOf, saveRedirects, selectMoves } from './category-redirects.db.ts'
import { moveBatch } from './move-category-uploads.ts'
import { findStrictest } from './strictest-policy.ts'

/**
 * Replaces the whole list of categories [7.11], for an administrator, and returns it with its new version.
 * `details` may have the `version` that the list is based on, with CONFLICT if it is not the current one, and
 * `moves`, the new slugs for the uploads of removed slugs, which otherwise keep them: a job moves those that are not
 * among the first. Sent ids are dropped, since a category is identified by its slug and clients create new ids at every
 * load [3.6]. Throws FRESH_PROOF_REQUIRED for a list that checks results less, without one.
 */
export async function saveCategories(ctx: UserCtx, input: string, details: unknown): Promise<CategoryList> {
  if (!canSaveCategories(ctx.actor)) throw forbidden('save categories')
  const { tree: sent, version, moves } = readCategoryInput(input, details)
  return inTransaction(ctx, async (tx) => {
    await lockCategoryList(tx.db)
    const before = await selectCategoryList(tx.db)
    if (version !== null && version !== before.version) throw await listOutdated(tx)
    await requireNoneMoving(tx, sent, moves)
    const formerPolicies = findFormerPolicies(sent, before.tree, moves)
    const tree = completeTree(sent, formerPolicies)
    if (checksLess(tree, before.tree, formerPolicies)) requireFreshProof(tx)
    await replaceCategoryList(tx.db, tree, tx.actor.id, tx.now)
    const counts = await countUploadsOf(tx.db, Object.keys(moves))
    requireKnownSlugs(moves, before.tree, counts)
    const slugs = tree.map(({ slug }) => slug)
    await saveRedirects(tx.db, moves, { slugs, counts, changedBy: tx.actor.id, now: tx.now })
    if (!(await moveBatch(tx))) await tx.services.jobs.enqueue(tx.db, 'move-category-uploads', {})
    const changes = listCategoryChanges(before.tree, tree, { moves, counts })
    await recordAudit(tx, { action: 'category.save', changes })
    await publish(tx.db, { kind: 'categories' })
    await tx.services.jobs.enqueue(tx.db, 'match-categories-again', {})
    return selectCategoryList(tx.db)
  })
}

/**
 * Returns by slug the policy from which each sent category starts: its saved policy; for a new slug the strictest
 * policy of the categories that are moved to it; else the default policy.
 */
function findFormerPolicies(
  sent: readonly SentCategory[],
  before: readonly StoredCategory[],
  moves: SlugMoves,
): ReadonlyMap<string, CategoryPolicy> {
  const was = new Map(before.map((category) => [category.slug, category]))
  const former = Map.groupBy(
    before.filter(({ slug }) => Object.hasOwn(moves, slug)),
    ({ slug }) => moves[slug],
  )
  return new Map(sent.map(({ slug }) => [slug, was.get(slug) ?? findStrictest(former.get(slug) ?? [])]))
}

const completeTree = (
  sent: readonly SentCategory[],
  formerPolicies: ReadonlyMap<string, CategoryPolicy>,
): StoredCategory[] =>
  sent.map(({ policy, ...details }) => {
    const kept = formerPolicies.get(details.slug)!
    return { ...mapPolicy((property) => kept[property]), ...details, ...policy }
  })

/** The part of a policy that keeps a wrong result from being read. */
const CHECKS = ['reviewRequired', 'reviewers', 'release', 'releaseHours', 'visibleToPatients'] as const

/** Whether a category is removed, or its results are reviewed less, released earlier or visible to more people. */
function checksLess(
  tree: readonly StoredCategory[],
  before: readonly StoredCategory[],
  formerPolicies: ReadonlyMap<string, CategoryPolicy>,
): boolean {
  if (before.some(({ slug }) => !formerPolicies.has(slug))) return true
  return tree.some((category) =>
    CHECKS.some((property) => {
      const { strictness } = POLICY_FIELDS[property]
      return strictness(category) < strictness(formerPolicies.get(category.slug)!)
    }),
  )
}

/**
 * Throws BAD_USER_INPUT for a move from a slug that is neither in the former list nor on any upload: a typing
 * error.
 */
function requireKnownSlugs(
  moves: SlugMoves,
  before: readonly StoredCategory[],
  counts: ReadonlyMap<string, number>,
): void {
  const known = new Set(before.map(({ slug }) => slug))
  const unknown = Object.keys(moves).filter((slug) => !known.has(slug) && !counts.has(slug))
  if (unknown.length === 0) return
  throw invalid(
    unknown.slice(0, 5).map((slug) => ({
      field: `moves.${slug}`,
      message: `Nu există nicio categorie „${slug}” din care să fie mutat ceva.`,
    })),
  )
}

/** Throws BAD_USER_INPUT if the list has, or moves once more, a slug that some uploads still have only until they move. */
async function requireNoneMoving(
  { db }: UserCtx,
  sent: readonly SentCategory[],
  moves: SlugMoves,
): Promise<void> {
  const moving = new Map((await selectMoves(db)).map((move) => [move.old_slug, move]))
  const fields = [
    ...sent.map(({ slug }, index) => ({ slug, field: `input.${index}.slug` })),
    ...Object.keys(moves).map((slug) => ({ slug, field: `moves.${slug}` })),
  ].flatMap(({ slug, field }) => {
    const move = moving.get(slug)
    const message = `Încărcările din „${slug}” se mută încă în „${move?.new_slug}”. Încearcă din nou după ce se termină mutarea.`
    return move ? [{ field, message }] : []
  })
  if (fields.length > 0) throw invalid(fields)
}

async function listOutdated({ db }: UserCtx): Promise<UserError> {
  const last = await selectLastSaving(db)
  const happened = last?.saved_at
    ? `Între timp, ${last.name} a salvat categoriile (${formatDateTime(last.saved_at.toISOString())}).`
    : 'Categoriile s-au schimbat între timp.'
  const message = `${happened} Reîncarcă-le, apoi aplică din nou modificarea.`
  return new UserError('CONFLICT', 'stale version: categories', message, {
    fields: [{ field: 'version', message }],
  })
}
