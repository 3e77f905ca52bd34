/** The attributes that give an element a tooltip: a text, HTML, or its own text where that is cut off (see `readTooltip`). */
export const TOOLTIP_ATTRIBUTES: readonly string[] = ['data-tooltip', 'data-tooltip-html', 'data-tooltip-cut']

export const TOOLTIP_SELECTOR = TOOLTIP_ATTRIBUTES.map((name) => `[${name}]`).join()

/** Whether an element, or one within it, has the focus and shows it: the keyboard moved it there. */
export const hasVisibleFocus = (element: Element): boolean =>
  element.matches(':focus-visible, :has(:focus-visible)')

/** Returns the element with a tooltip that an event was dispatched to or within; null if there is none. */
export const closestAnchor = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(TOOLTIP_SELECTOR) : null
