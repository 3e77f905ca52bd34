import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import { type ShownTooltip, TooltipTracker } from './tooltip-tracker.ts'

const TOOLTIP_ID = 'global-tooltip'

/** The `before:` area covers the gap between tooltip and element, so that the mouse can cross it. */
const tooltipClass =
  'rounded-md bg-ink px-2.5 py-1.5 text-sm text-canvas shadow-raised transition-opacity duration-300 data-entering:opacity-0 data-exiting:pointer-events-none data-exiting:opacity-0 data-exiting:duration-250 before:absolute before:inset-x-0 before:-bottom-2 before:h-2 data-[placement=bottom]:before:-top-2 data-[placement=bottom]:before:bottom-auto'

/**
 * The tooltip of `GlobalTooltip`, which loads it; `isDismissed` if the user has pressed Escape or a button meanwhile. It
 * is shown above the element on hover or keyboard focus, fades in within 300 ms and out within 250 ms; the mouse may
 * enter it, and Escape or a press closes it [9.12].
 */
export function TooltipHost({ isDismissed }: { isDismissed: boolean }) {
  const bubble = useRef<HTMLDivElement>(null)
  const body = useTopLayerContainer()
  const { content, isOpen, anchor, hideAfterScroll } = useTooltip(bubble, isDismissed)
  // The browser shows nothing above a modal `<dialog>` but what is inside it.
  const container = anchor.current?.closest('dialog') ?? body
  const state = { isOpen, shouldSkipAnimation: false, open: () => {}, close: hideAfterScroll }
  return (
    <TooltipTriggerStateContext value={state}>
      <Tooltip
        ref={bubble}
        {...(container && { UNSTABLE_portalContainer: container })}
        triggerRef={anchor}
        placement="top"
        offset={8}
        style={{ zIndex: 9999, maxWidth: 'min(350px, 100vw - 1.5rem)' }}
        className={tooltipClass}
      >
        {content && <Content content={content} />}
      </Tooltip>
    </TooltipTriggerStateContext>
  )
}

function Content({ content }: { content: DocumentFragment }) {
  const text = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => text.current?.replaceChildren(content.cloneNode(true)), [content])
  return <span id={TOOLTIP_ID} ref={text} />
}

/** Returns the shown tooltip. `anchor` and `content` stay during the fade-out. */
function useTooltip(bubble: RefObject<Element | null>, isDismissed: boolean) {
  const anchor = useRef<Element | null>(null)
  const tracker = useRef<TooltipTracker>(null)
  const [content, setContent] = useState<DocumentFragment | null>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const show = (shown: ShownTooltip | null) => {
      if (anchor.current) setDescribedByTooltip(anchor.current, false)
      setOpen(shown !== null)
      if (!shown) return
      if (!isOwnName(shown.element)) setDescribedByTooltip(shown.element, true)
      anchor.current = shown.element
      setContent(shown.content)
    }
    tracker.current = new TooltipTracker({ getTooltip: () => bubble.current, onChange: show })
    return tracker.current.start(isDismissed)
  }, [bubble, isDismissed])
  return { content, isOpen, anchor, hideAfterScroll: () => tracker.current?.hideAfterScroll() }
}

/**
 * Returns the element that contains the tooltip, null at first. An open dialog makes all elements without this
 * attribute inert, but elements of the dialog have tooltips.
 */
function useTopLayerContainer(): Element | null {
  const [container, setContainer] = useState<Element | null>(null)
  useEffect(() => {
    const created = document.createElement('div')
    created.dataset.reactAriaTopLayer = 'true'
    document.body.append(created)
    setContainer(created)
    return () => created.remove()
  }, [])
  return container
}

/**
 * Whether the tooltip repeats the element's accessible name, which screen readers need not announce twice.
 */
function isOwnName(element: Element): boolean {
  const name = element.getAttribute('aria-label')
  return name !== null && name === element.getAttribute('data-tooltip')
}

/** Adds the tooltip to the element's `aria-describedby`, or removes it, and leaves other ids in place. */
function setDescribedByTooltip(element: Element, isDescribed: boolean): void {
  const others = (element.getAttribute('aria-describedby') ?? '')
    .split(/\s+/)
    .filter((id) => id && id !== TOOLTIP_ID)
  const ids = isDescribed ? [...others, TOOLTIP_ID] : others
  if (ids.length > 0) element.setAttribute('aria-describedby', ids.join(' '))
  else element.removeAttribute('aria-describedby')
}
