import type { ReactElement, ReactNode } from 'react'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  Header,
  MenuTrigger,
  Popover,
} from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { Icon, type IconName } from '../base/icon.tsx'
import { optionClass, optionListClass, popoverClass } from '../base/popover-styles.ts'

export interface MenuItem {
  id: string
  label: string
  icon?: IconName | undefined
  /** Runs when the item is chosen; an item has either `onAction` or `href`. */
  onAction?: (() => void) | undefined
  /** The address that the router opens. */
  href?: string | undefined
  isDangerous?: boolean | undefined
  isDisabled?: boolean | undefined
}

export interface MenuSection {
  title?: string | undefined
  items: readonly MenuItem[]
  /** For a section with a single choice: the id of the selected item. */
  selected?: string | undefined
  onSelect?: ((id: string) => void) | undefined
}

export interface MenuProps {
  /** The Button or IconButton that opens the menu. */
  trigger: ReactElement
  /** The accessible name. */
  label: string
  sections: readonly MenuSection[]
  /** Shown above the items, for example the signed-in user. */
  header?: ReactNode
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | undefined
}

export function Menu({ trigger, label, sections, header, placement = 'bottom end' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={classNames(popoverClass, 'min-w-56')} placement={placement} offset={6}>
        {header && <div className="border-b border-line px-3.5 py-3">{header}</div>}
        <AriaMenu aria-label={label} className={classNames(optionListClass, 'max-h-[70dvh]')}>
          {sections.map((section, index) => (
            <Section key={section.title ?? index} section={section} isFirst={index === 0} />
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

function Section({ section, isFirst }: { section: MenuSection; isFirst: boolean }) {
  const { title, items, selected, onSelect } = section
  return (
    <AriaMenuSection
      {...(title ? {} : { 'aria-label': 'Acțiuni' })}
      {...(selected === undefined
        ? {}
        : {
            selectionMode: 'single' as const,
            disallowEmptySelection: true,
            selectedKeys: [selected],
            onSelectionChange: (keys: 'all' | Iterable<unknown>) => {
              const [id] = keys === 'all' ? [] : keys
              if (typeof id === 'string') onSelect?.(id)
            },
          })}
      className={classNames(!isFirst && 'mt-1 border-t border-line pt-1')}
    >
      {title && <Header className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{title}</Header>}
      {items.map((item) => (
        <AriaMenuItem
          key={item.id}
          id={item.id}
          textValue={item.label}
          isDisabled={item.isDisabled ?? false}
          {...(item.onAction ? { onAction: item.onAction } : {})}
          {...(item.href ? { href: item.href } : {})}
          className={classNames(optionClass, item.isDangerous && 'text-danger')}
        >
          {item.icon && <Icon name={item.icon} size={18} className={item.isDangerous ? '' : 'text-muted'} />}
          <span className="min-w-0 flex-1 truncate">{item.label}</span>
          {selected !== undefined && (
            <Icon
              name="check"
              size={16}
              className="invisible text-accent-ink group-data-selected/option:visible"
            />
          )}
        </AriaMenuItem>
      ))}
    </AriaMenuSection>
  )
}
