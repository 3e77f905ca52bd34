import { useState } from 'react'
import { Link, useFilter } from 'react-aria-components'
import { classNames } from '../ui/base/class-names.ts'
import { SearchField } from '../ui/controls/search-field.tsx'
import { useAddress, writeAddress } from './address.ts'
import { catalogueComponents, groupComponents } from './components.ts'

/** The list of components, filtered by name or path regardless of case and diacritics. */
export function ComponentList({ className }: { className?: string | undefined }) {
  const { component, accent, isNarrow } = useAddress()
  const [filter, setFilter] = useState('')
  const { contains } = useFilter({ sensitivity: 'base' })
  const groups = groupComponents(
    catalogueComponents.filter(
      ({ name, path }) => contains(name, filter.trim()) || contains(path, filter.trim()),
    ),
  )
  return (
    <nav aria-label="Piese" className={classNames('grid content-start gap-4', className)}>
      <SearchField label="Filtrează piesele" placeholder="Filtrează" value={filter} onChange={setFilter} />
      {groups.map((group) => (
        <section key={group.name} className="grid gap-1">
          <h2 className="px-2.5 text-xs font-medium text-muted">{group.name}</h2>
          <ul>
            {group.components.map(({ path, name }) => (
              <li key={path}>
                <Link
                  href={writeAddress({ component: path, accent, isNarrow })}
                  {...(path === component && { 'aria-current': 'page' })}
                  className="hit-area flex items-center rounded-md px-2.5 py-1.5 text-sm transition-colors hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-ink"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <p className="px-2.5 text-sm text-muted">Nicio piesă nu se numește așa.</p>}
    </nav>
  )
}
