const focusable = ':is(input, textarea, select, button):enabled:not([tabindex="-1"]), [tabindex="0"]'

/** The keyboard goes to the first field of an item; to the item itself where its fields are still on their way. */
export function focusFirst(item: Element | undefined): void {
  for (const element of item?.querySelectorAll<HTMLElement>(`[data-part="fields"] :is(${focusable})`) ?? []) {
    element.focus()
    if (element === document.activeElement) return
  }
  focusItem(item)
}

/** The keyboard goes to the first of these buttons of an item that can be pressed, else to the item itself. */
export function focusPart(item: Element, ...parts: ('up' | 'down' | 'remove')[]): void {
  for (const part of parts) {
    const button = item.querySelector<HTMLElement>(`:scope > div > div > [data-part="${part}"]:enabled`)
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
