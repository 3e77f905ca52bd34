import { Icon, isIconName } from '../../ui/base/icon.tsx'
import { useParentNames } from './category-path.tsx'

/** A category with its icon and the names of its parents, on as many lines as it needs. */
export function CategoryBadge({
  category,
}: {
  category: { slug: string; name: string; icon: string; color: string }
}) {
  const parents = useParentNames(category.slug)
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <CategoryIcon category={category} />
      <span className="min-w-0">
        {parents.length > 0 && <span className="text-muted">{parents.join(' › ')} › </span>}
        {category.name}
      </span>
    </span>
  )
}

/** The icon of a category in its colour, mixed with the text colour for contrast in both modes. */
export function CategoryIcon({ category: { icon, color } }: { category: { icon: string; color: string } }) {
  const tint = color || 'var(--muted)'
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md"
      style={{
        color: `color-mix(in oklab, ${tint} 72%, var(--ink))`,
        backgroundColor: `color-mix(in oklab, ${tint} 14%, transparent)`,
      }}
    >
      <Icon name={isIconName(icon) ? icon : 'documents'} size={16} />
    </span>
  )
}
