import type { Ctx } from '../../context.ts'
import { findCategories, resolveCategorySlug } from '../categories/find-category.ts'
import { findSite } from '../site/find-site.ts'
import { type CategoryWords, matchCategory } from './match-words.ts'

export type ProposedCategory = { slug: string; name: string }

/** Returns the category whose words are in the first of the texts that has any; null if there is none. */
export async function proposeCategory(ctx: Ctx, texts: readonly string[]): Promise<ProposedCategory | null> {
  const categories = await readCategoryWords(ctx)
  const slug = matchCategory(texts, categories)
  return categories.find((each) => each.slug === slug) ?? null
}

/**
 * Returns the words by which each category is proposed: its name, and those of the setting `category_words`, of which the
 * slugs of moved categories are followed.
 */
async function readCategoryWords(ctx: Ctx): Promise<(CategoryWords & { name: string })[]> {
  const [{ category_words }, categories] = await Promise.all([findSite(ctx.db), findCategories(ctx)])
  const known = new Set(categories.map(({ slug }) => slug))
  const added = await Promise.all(
    category_words.map(async ({ slug, words }) => ({
      slug: known.has(slug) ? slug : await resolveCategorySlug(ctx, slug),
      words,
    })),
  )
  return categories.map(({ slug, name }) => ({
    slug,
    name,
    words: [name, ...added.filter((each) => each.slug === slug).flatMap(({ words }) => words)],
  }))
}
