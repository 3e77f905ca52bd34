import { type ReactNode, useEffect, useRef } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { Icon, type IconName } from '../base/icon.tsx'
import { Badge } from './status-pill.tsx'

export interface TabItem<Id extends string = string> {
  id: Id
  label: string
  icon?: IconName | undefined
  /** Shown unless it is zero or empty: `12`, `99+`. */
  count?: number | string | undefined
}

export interface TabsProps<Id extends string> {
  /** The accessible name. */
  label: string
  tabs: readonly TabItem<Id>[]
  selected: Id
  onSelect: (id: Id) => void
  /** Whether the tabs are shown above the content. */
  hasList?: boolean
  /** The content of the selected tab. */
  children: ReactNode
  className?: string | undefined
}

export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  hasList = true,
  children,
  className,
}: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null)
  const texts = tabs.map(({ label: name, count }) => `${name} ${count}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls the selected tab into view when the selection or a width changes
  useEffect(() => {
    const { current } = list
    if (!current) return
    const scrollToSelected = () => {
      const tab = current.querySelector<HTMLElement>('[data-selected]')
      if (!tab) return
      const { scrollLeft, clientWidth } = current
      if (tab.offsetLeft < scrollLeft || tab.offsetLeft + tab.offsetWidth > scrollLeft + clientWidth)
        current.scrollLeft = tab.offsetLeft - (clientWidth - tab.offsetWidth) / 2
    }
    // The tab's width is known only once styles and fonts are loaded.
    const observer = new ResizeObserver(scrollToSelected)
    observer.observe(current)
    scrollToSelected()
    return () => observer.disconnect()
  }, [selected, texts])
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={(id) => onSelect(id as Id)}
      className={classNames('grid min-w-0 content-start', className)}
    >
      <TabList
        ref={list}
        aria-label={label}
        className={classNames(
          'relative flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none] print:hidden',
          !hasList && 'hidden',
        )}
      >
        {tabs.map(({ id, label: name, icon, count }) => (
          <Tab
            key={id}
            id={id}
            className="group/tab hit-area relative flex shrink-0 cursor-pointer items-center gap-2 rounded-t-md px-2.5 text-sm font-medium text-muted outline-none transition-colors after:absolute after:inset-x-1.5 after:-bottom-px after:h-0.5 after:rounded-full after:bg-transparent hover:text-ink data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-focus data-selected:text-ink data-selected:after:bg-accent-mark"
          >
            {icon && <Icon name={icon} size={18} />}
            {name}
            {!!count && <Badge>{count}</Badge>}
          </Tab>
        ))}
      </TabList>
      <TabPanel
        // React Aria does not follow a change of the id, by which the tab names its panel.
        key={selected}
        id={selected}
        className={classNames(
          'min-w-0 outline-none data-focus-visible:outline-2 data-focus-visible:outline-focus',
          hasList && 'pt-5',
        )}
      >
        {children}
      </TabPanel>
    </AriaTabs>
  )
}
