import { createElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import { hasTooltipText, parseTooltipHtml, type TooltipNode } from './tooltip-html.ts'

const SELECTOR = '[data-tooltip], [data-tooltip-html]'
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
  const anchor = useRef<Element | null>(null)
  const bubble = useRef<HTMLDivElement>(null)
  const dismiss = useRef(() => {})
  const [content, setContent] = useState<readonly TooltipNode[]>([])
  const [isOpen, setOpen] = useState(false)
  const [container, setContainer] = useState<Element | null>(null)

  useEffect(() => {
    const stopped = new AbortController()
    const listen = <Name extends keyof DocumentEventMap>(
      name: Name,
      act: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, act, { signal: stopped.signal, capture: true })
    let hovered: Element | null = null
    let focused: Element | null = null
    let shownElement: Element | null = null

    const refresh = () => {
      const candidate = [hovered, focused].find((element) => element?.isConnected) ?? null
      const nodes = candidate ? readContent(candidate) : []
      if (shownElement) setDescribedByTooltip(shownElement, false)
      shownElement = hasTooltipText(nodes) ? candidate : null
      setOpen(shownElement !== null)
      if (!shownElement) return
      if (!isOwnName(shownElement)) setDescribedByTooltip(shownElement, true)
      // The content stays during the fade-out.
      anchor.current = shownElement
      setContent(nodes)
    }
    const hide = () => {
      hovered = null
      focused = null
      refresh()
    }
    dismiss.current = hide
    const isBubble = (node: EventTarget | null) => node instanceof Node && !!bubble.current?.contains(node)

    listen('pointerover', ({ target, relatedTarget, pointerType }) => {
      if (pointerType === 'touch') return
      const entered = isBubble(target) ? anchor.current : closestAnchor(target)
      // The pointer moved within the element: showing the tooltip again after a press would be wrong.
      if (entered && !isBubble(target) && entered === closestAnchor(relatedTarget)) return
      if (entered === hovered) return
      hovered = entered
      refresh()
    })
    listen('pointerout', ({ relatedTarget }) => {
      if (relatedTarget !== null) return
      hovered = null
      refresh()
    })
    listen('pointerdown', ({ target }) => {
      if (!isBubble(target)) hide()
    })
    listen('focusin', ({ target }) => {
      const element = closestAnchor(target)
      focused = element?.matches(':focus-visible, :has(:focus-visible)') ? element : null
      if (focused) hovered = null
      refresh()
    })
    listen('focusout', () => {
      focused = null
      refresh()
    })
    listen('keydown', ({ key }) => {
      if (key === 'Escape') hide()
    })
    // While the tooltip is shown, its element may be removed (a closed dialog, a removed row) or get another
    // text.
    const observer = new MutationObserver((records) => {
      const isOther = records.some(({ type, target }) => type === 'attributes' && target === shownElement)
      if (isOther || (shownElement && !shownElement.isConnected)) refresh()
    })
    const attributeFilter = ['data-tooltip', 'data-tooltip-html']
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter })

    return () => {
      stopped.abort()
      observer.disconnect()
      hide()
    }
  }, [])

  // An open dialog makes all elements without this attribute inert, but elements of the dialog have tooltips.
  useEffect(() => {
    const created = document.createElement('div')
    created.dataset.reactAriaTopLayer = 'true'
    document.body.append(created)
    setContainer(created)
    return () => created.remove()
  }, [])

  const state = { isOpen, shouldSkipAnimation: false, open: () => {}, close: () => dismiss.current() }
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

function closestAnchor(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest(SELECTOR) : null
}

function readContent(element: Element): TooltipNode[] {
  const html = element.getAttribute('data-tooltip-html')
  return html === null ? [element.getAttribute('data-tooltip') ?? ''] : parseTooltipHtml(html)
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
