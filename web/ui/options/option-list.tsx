import type { Ref } from 'react'
import {
  Collection,
  Header,
  ListBox,
  ListBoxItem,
  ListBoxLoadMoreItem,
  ListBoxSection,
  ListLayout,
  Virtualizer,
} from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'
import { Spinner } from '../base/loading.tsx'
import { longListClass, optionClass, optionListClass } from '../base/popover-styles.ts'
import { flatOptions, type Option, type OptionGroup } from './option.ts'

/** Lists with more options than this are virtualized. */
const VIRTUALIZED_FROM = 100
const LAYOUT = { estimatedRowSize: 40, estimatedHeadingSize: 32, loaderSize: 40, padding: 4 }

interface OptionListProps {
  options: readonly (Option | OptionGroup)[]
  emptyText: string
  /** Shown after the options: adding an option, retrying. */
  actions?: readonly Option[] | undefined
  /** Loads the next page; undefined when there is none. */
  onLoadMore?: (() => void) | undefined
  isLoading?: boolean | undefined
  /** Whether the list may grow page by page. Such a list is virtualized from the start. */
  mayGrow?: boolean | undefined
  listRef?: Ref<HTMLDivElement> | undefined
}

/** The option list of React Aria's Select or ComboBox. */
export function OptionList({
  options,
  emptyText,
  actions = [],
  onLoadMore,
  isLoading = false,
  mayGrow = false,
  listRef,
}: OptionListProps) {
  const isLong = mayGrow || flatOptions(options).length > VIRTUALIZED_FROM
  const list = (
    <ListBox
      {...(listRef && { ref: listRef })}
      className={classNames(isLong ? longListClass : optionListClass, 'min-h-0 overscroll-contain')}
      renderEmptyState={() => (
        <p className="px-2.5 py-2 text-sm text-muted">{isLoading ? 'Se caută…' : emptyText}</p>
      )}
    >
      <Collection items={options}>{renderEntry}</Collection>
      <Collection items={actions}>{renderAction}</Collection>
      {onLoadMore && (
        <ListBoxLoadMoreItem
          onLoadMore={onLoadMore}
          isLoading={isLoading}
          className="flex h-10 items-center justify-center text-muted"
        >
          <Spinner label="Se încarcă" size={18} />
        </ListBoxLoadMoreItem>
      )}
    </ListBox>
  )
  return (
    <div aria-busy={isLoading} className="contents">
      {isLong ? (
        <Virtualizer layout={ListLayout} layoutOptions={LAYOUT}>
          {list}
        </Virtualizer>
      ) : (
        list
      )}
    </div>
  )
}

// Outside the component, because React Aria caches a rendered row as long as its render function is the same.

function renderEntry(entry: Option | OptionGroup) {
  if (!('options' in entry)) return <OptionItem option={entry} />
  return (
    <ListBoxSection id={`group ${entry.label}`}>
      <Header className="px-2.5 pt-2.5 pb-1 text-xs font-medium text-muted">{entry.label}</Header>
      <Collection items={entry.options}>{renderOption}</Collection>
    </ListBoxSection>
  )
}

const renderOption = (option: Option) => <OptionItem option={option} />

/** A row of an option list, with a check mark if it is selected. */
function OptionItem({ option }: { option: Option }) {
  return (
    <ListBoxItem
      id={option.id}
      value={option}
      textValue={option.label}
      isDisabled={option.isDisabled ?? false}
      className={optionClass}
    >
      {option.icon && <Icon name={option.icon} size={18} className="shrink-0 text-muted" />}
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{option.label}</span>
        {option.description && <span className="truncate text-xs text-muted">{option.description}</span>}
      </span>
      <Icon
        name="check"
        size={16}
        className="invisible shrink-0 text-accent-ink group-data-selected/option:visible"
      />
    </ListBoxItem>
  )
}

const renderAction = (action: Option) => (
  <ListBoxItem
    id={action.id}
    textValue={action.label}
    isDisabled={action.isDisabled ?? false}
    className={classNames(optionClass, 'font-medium text-accent-ink')}
  >
    {action.icon && <Icon name={action.icon} size={18} className="shrink-0" />}
    <span className="min-w-0 flex-1 truncate">{action.label}</span>
  </ListBoxItem>
)
