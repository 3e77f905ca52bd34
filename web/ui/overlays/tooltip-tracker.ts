import { closestAnchor, hasVisibleFocus, TOOLTIP_ATTRIBUTES, TOOLTIP_SELECTOR } from './tooltip-anchor.ts'
import { readTooltip } from './tooltip-content.ts'

/** The element whose tooltip is shown, and what the tooltip shows. */
export interface ShownTooltip {
  element: Element
  content: DocumentFragment
}

interface TrackerOptions {
  /** Returns the tooltip, which the mouse may enter; null while none is rendered. */
  getTooltip: () => Element | null
  onChange: (shown: ShownTooltip | null) => void
}

/** Finds the element under the mouse, else the one with the keyboard focus, that has a tooltip. */
export class TooltipTracker {
  readonly #options: TrackerOptions
  #hovered: Element | null = null
  #focused: Element | null = null
  #shown: Element | null = null
  /** Until the frame after the focus has moved: until then, the browser may scroll to the element. */
  #isFocusNew = false
  /** The last shown element, which the tooltip still belongs to while it fades out. */
  #last: Element | null = null

  constructor(options: TrackerOptions) {
    this.#options = options
  }

  /**
   * Starts to track and returns the function that stops. The elements that the mouse and the focus are already in count
   * too, unless the user has dismissed their tooltips.
   */
  start(isDismissed: boolean): () => void {
    const stopped = new AbortController()
    const listen = <Name extends keyof DocumentEventMap>(
      name: Name,
      act: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, act, { signal: stopped.signal, capture: true })
    listen('pointerover', (event) => this.#enter(event))
    listen('pointerout', ({ relatedTarget }) => relatedTarget === null && this.#hover(null))
    listen('pointerdown', ({ target }) => this.#isInTooltip(target) || this.hide())
    listen('focusin', ({ target }) => this.#focus(target))
    listen('focusout', () => this.#focus(null))
    listen('keydown', ({ key }) => key === 'Escape' && this.hide())
    const observer = new MutationObserver((records) => this.#handleMutations(records))
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: [...TOOLTIP_ATTRIBUTES],
    })
    if (!isDismissed) this.#showCurrent()
    return () => {
      stopped.abort()
      observer.disconnect()
      this.hide()
    }
  }

  /** The page scrolled. The scroll that brings a focused element into view does not count. */
  hideAfterScroll(): void {
    if (!this.#isFocusNew) this.hide()
  }

  hide(): void {
    this.#focused = null
    this.#hover(null)
  }

  #enter({ target, relatedTarget, pointerType }: PointerEvent): void {
    if (pointerType === 'touch') return
    const isInTooltip = this.#isInTooltip(target)
    const entered = isInTooltip ? this.#last : closestAnchor(target)
    // The pointer moved within the element: showing the tooltip again after a press would be wrong.
    if (entered && !isInTooltip && entered === closestAnchor(relatedTarget)) return
    if (entered !== this.#hovered) this.#hover(entered)
  }

  #showCurrent(): void {
    this.#focus(document.activeElement)
    const hovered = [...document.querySelectorAll(TOOLTIP_SELECTOR)].findLast((each) =>
      each.matches(':hover'),
    )
    if (hovered) this.#hover(hovered)
  }

  #hover(element: Element | null): void {
    this.#hovered = element
    this.#refresh()
  }

  #focus(target: EventTarget | null): void {
    const element = closestAnchor(target)
    this.#focused = element && hasVisibleFocus(element) ? element : null
    if (this.#focused) {
      this.#hovered = null
      this.#isFocusNew = true
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          this.#isFocusNew = false
        }),
      )
    }
    this.#refresh()
  }

  /** While the tooltip is shown, its element may be removed (a closed dialog) or get another text. */
  #handleMutations(records: readonly MutationRecord[]): void {
    const isOther = records.some(({ type, target }) => type === 'attributes' && target === this.#shown)
    if (isOther || this.#shown?.isConnected === false) this.#refresh()
  }

  #refresh(): void {
    const element = [this.#hovered, this.#focused].find((candidate) => candidate?.isConnected) ?? null
    const content = element && readTooltip(element)
    this.#shown = content && element
    this.#last = this.#shown ?? this.#last
    this.#options.onChange(element && content && { element, content })
  }

  #isInTooltip(node: EventTarget | null): boolean {
    return node instanceof Node && !!this.#options.getTooltip()?.contains(node)
  }
}
