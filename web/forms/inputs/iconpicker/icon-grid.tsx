import { Autocomplete, ListBox, ListBoxItem, useFilter } from 'react-aria-components'
import { CATEGORY_ICONS, type CategoryIconName } from '../../../../shared/uploads/categories.ts'
import { Icon } from '../../../ui/base/icon.tsx'
import { SearchField } from '../../../ui/controls/search-field.tsx'
import { ICON_KEYWORDS } from '../../../ui/icons/icon-keywords.ts'

const ITEMS = CATEGORY_ICONS.map((id) => ({ id, name: ICON_KEYWORDS[id] }))

/**
 * The icons of requirement 3.7 with a search by their Romanian names; the arrow keys move between the icons
 * from the search field.
 */
export function IconGrid({
  value,
  onChoose,
}: {
  value: CategoryIconName | ''
  onChoose: (value: CategoryIconName) => void
}) {
  const { contains } = useFilter({ sensitivity: 'base' })
  return (
    <Autocomplete filter={contains}>
      <SearchField label="Caută o pictogramă" autoFocus />
      <ListBox
        aria-label="Pictograme"
        layout="grid"
        items={ITEMS}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={value ? [value] : []}
        onSelectionChange={(keys) => {
          const chosen = ITEMS.find(({ id }) => keys !== 'all' && keys.has(id))
          if (chosen) onChoose(chosen.id)
        }}
        renderEmptyState={() => (
          <p className="col-span-full px-2.5 py-2 text-sm text-muted">Nicio pictogramă găsită</p>
        )}
        className="grid max-h-80 grid-cols-[repeat(6,auto)] justify-between overflow-auto outline-none"
      >
        {({ id, name }) => (
          <ListBoxItem
            textValue={name}
            aria-label={name}
            data-tooltip={name}
            className="hit-square flex cursor-pointer items-center justify-center rounded-md hover:bg-hover data-focused:bg-hover data-selected:bg-accent-soft data-selected:text-accent-ink data-focus-visible:outline-2 data-focus-visible:-outline-offset-2"
          >
            <Icon name={id} />
          </ListBoxItem>
        )}
      </ListBox>
    </Autocomplete>
  )
}
