const FOCUSABLE_SELECTOR = ':is(input, textarea, select, button):enabled:not([tabindex="-1"]), [tabindex="0"]'

/** Focuses the first field of an item, or the item itself while its fields are loading. */
export function focusFirst(item: Element | undefined): void {
  for (const element of item?.querySelectorAll<HTMLElement>(
    `[data-part="fields"] :is(${FOCUSABLE_SELECTOR})`,
  ) ?? []) {
    element.focus()
    if (element === document.activeElement) return
  }
  focusItem(item)
}

/** Focuses the first enabled one of the given buttons of an item, else the item itself. */
export function focusItemButton(item: Element, ...names: ('up' | 'down' | 'remove')[]): void {
  for (const name of names) {
    const button = item.querySelector<HTMLElement>(`:scope > div > div > [data-part="${name}"]:enabled`)
    if (button) {
      button.focus()
      return
    }
  }
  focusItem(item)
}

function focusItem(item: Element | undefined): void {
  item?.querySelector<HTMLElement>('[role="group"]')?.focus()
}
