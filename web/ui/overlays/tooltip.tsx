import { createElement, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import type { TooltipNode } from './tooltip-html.ts'
import { type ShownTooltip, TooltipTracker } from './tooltip-tracker.ts'

const TOOLTIP_ID = 'global-tooltip'

/** The `before:` area covers the gap between tooltip and element, so that the mouse can cross it. */
const tooltipClass =
  'rounded-md bg-ink px-2.5 py-1.5 text-sm text-canvas shadow-raised transition-opacity duration-300 data-entering:opacity-0 data-exiting:pointer-events-none data-exiting:opacity-0 data-exiting:duration-250 before:absolute before:inset-x-0 before:-bottom-2 before:h-2 data-[placement=bottom]:before:-top-2 data-[placement=bottom]:before:bottom-auto'

/**
 * The single tooltip of the application [2.18]: any element has one through `data-tooltip="text"` or
 * `data-tooltip-html="a <b>little</b> HTML"` (allowed tags: b, i, strong, em, br, code). It is shown above
 * the element on hover or keyboard focus, fades in within 300 ms and out within 250 ms; the mouse may enter
 * it, and Escape or a press closes it [9.12].
 */
export function TooltipHost() {
  const bubble = useRef<HTMLDivElement>(null)
  const container = useTopLayerContainer()
  const { content, isOpen, anchor, hide } = useTooltip(bubble)
  const state = { isOpen, shouldSkipAnimation: false, open: () => {}, close: hide }
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
        <span id={TOOLTIP_ID}>{content.map(renderNode)}</span>
      </Tooltip>
    </TooltipTriggerStateContext>
  )
}

/** Returns the shown tooltip. `anchor` and `content` stay during the fade-out. */
function useTooltip(bubble: RefObject<Element | null>) {
  const anchor = useRef<Element | null>(null)
  const tracker = useRef<TooltipTracker>(null)
  const [content, setContent] = useState<readonly TooltipNode[]>([])
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
    return tracker.current.start()
  }, [bubble])
  return { content, isOpen, anchor, hide: () => tracker.current?.hide() }
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

function renderNode(node: TooltipNode, index: number): ReactNode {
  if (typeof node === 'string') return node
  if (node.tag === 'br') return createElement('br', { key: index })
  return createElement(node.tag, { key: index }, node.children.map(renderNode))
}
