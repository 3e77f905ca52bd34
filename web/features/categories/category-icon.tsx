import { Icon, isIconName } from '../../ui/base/icon.tsx'

/**
 * A category in lists: its name, and its icon in its colour, mixed with the text colour for contrast in both
 * modes.
 */
export function CategoryBadge({ category }: { category: { name: string; icon: string; color: string } }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <CategoryIcon category={category} />
      <span className="min-w-0">{category.name}</span>
    </span>
  )
}

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
