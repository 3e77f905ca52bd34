import { parentSlug } from '../../../shared/uploads/categories.ts'
import { useCategories } from './categories.ts'

/** A category, its own name first. On one line, from 1024 px on, its parents are cut off where they do not fit. */
export function CategoryPath({ category }: { category: { slug: string; name: string } }) {
  const parents = useParentNames(category.slug)
  return (
    <span
      className="flex min-w-0 flex-wrap items-baseline gap-x-2 lg:flex-nowrap lg:whitespace-nowrap"
      data-whole
    >
      <span className="lg:max-w-full lg:shrink-0 lg:truncate">{category.name}</span>{' '}
      {parents.length > 0 && (
        <span className="min-w-0 text-xs text-muted lg:truncate">{parents.join(' › ')}</span>
      )}
    </span>
  )
}

/** Returns the names of the categories above a slug that are in the list, the top level first. */
export function useParentNames(slug: string): string[] {
  const { list } = useCategories()
  const names: string[] = []
  for (let parent = parentSlug(slug); parent !== null; parent = parentSlug(parent)) {
    const name = list.find((category) => category.slug === parent)?.name
    if (name) names.unshift(name)
  }
  return names
}
