import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'
import { type LinkTarget, TextLink } from '../base/link.tsx'

export interface Crumb {
  label: string
  /** The last crumb, the page itself, has none; while the page is loading none of them has. */
  link?: LinkTarget | undefined
}

export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Unde vă aflați" className="min-w-0 print:hidden">
      <ol className="flex flex-wrap items-center gap-x-1 text-sm text-muted">
        {crumbs.map(({ label, link }, index) => (
          <li key={label} className="flex min-w-0 items-center gap-1 max-sm:last:sr-only">
            <Icon
              name={index > 0 ? 'chevron-right' : 'chevron-left'}
              size={16}
              className={classNames('text-faint', index === 0 && 'sm:hidden')}
            />
            {link ? (
              <TextLink
                {...link}
                className="truncate py-2 font-normal text-muted no-underline hover:underline"
              >
                {label}
              </TextLink>
            ) : (
              <span aria-current={index === crumbs.length - 1 ? 'page' : undefined} className="truncate py-2">
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
