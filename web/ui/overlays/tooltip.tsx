import { createElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import { hasTooltipText, parseTooltipHtml, type TooltipNode } from './tooltip-html.ts'

const selector = '[data-tooltip], [data-tooltip-html]'
const tooltipId = 'global-tooltip'

/** What stands before it bridges the gap to its element, so that the mouse can cross. */
const tooltipClass =
  'rounded-md bg-ink px-2.5 py-1.5 text-sm text-canvas shadow-raised transition-opacity duration-300 data-entering:opacity-0 data-exiting:pointer-events-none data-exiting:opacity-0 data-exiting:duration-250 before:absolute before:inset-x-0 before:-bottom-2 before:h-2 data-[placement=bottom]:before:-top-2 data-[placement=bottom]:before:bottom-auto'

/**
 * The one tooltip of the application [2.18]. Any element gets one by an attribute: `data-tooltip="text"`, or
 * `data-tooltip-html="a <b>little</b> HTML"`, of which only b, i, strong, em, br and code survive. Placed on top, where the
 * mouse enters the element or the keyboard focuses it; fades in within 300 ms and out within 250 ms; the mouse may enter it;
 * Escape and a press close it [9.12].
 */
export function TooltipHost() {
  const anchor = useRef<Element | null>(null)
  const bubble = useRef<HTMLDivElement>(null)
  const dismiss = useRef(() => {})
  const [content, setContent] = useState<readonly TooltipNode[]>([])
  const [isOpen, setOpen] = useState(false)
  const [layer, setLayer] = useState<Element | null>(null)

  useEffect(() => {
    const stopped = new AbortController()
    const listen = <Name extends keyof DocumentEventMap>(
      name: Name,
      act: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, act, { signal: stopped.signal, capture: true })
    let hovered: Element | null = null
    let focused: Element | null = null
    let shown: Element | null = null

    const refresh = () => {
      const wanted = [hovered, focused].find((element) => element?.isConnected) ?? null
      const nodes = wanted ? readContent(wanted) : []
      if (shown) markDescribed(shown, false)
      shown = hasTooltipText(nodes) ? wanted : null
      setOpen(shown !== null)
      if (!shown) return
      if (!isOwnName(shown)) markDescribed(shown, true)
      // Kept while it fades out.
      anchor.current = shown
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
      // From one part of the element to another: after a press it would come back.
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
    // While it is shown, its element may go (a closed dialog, a removed row) or say something else.
    const changes = new MutationObserver((records) => {
      const isOther = records.some(({ type, target }) => type === 'attributes' && target === shown)
      if (isOther || (shown && !shown.isConnected)) refresh()
    })
    const attributeFilter = ['data-tooltip', 'data-tooltip-html']
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter })

    return () => {
      stopped.abort()
      changes.disconnect()
      hide()
    }
  }, [])

  // An open dialog makes inert what does not carry this attribute, and its own parts have tooltips.
  useEffect(() => {
    const created = document.createElement('div')
    created.dataset.reactAriaTopLayer = 'true'
    document.body.append(created)
    setLayer(created)
    return () => created.remove()
  }, [])

  const state = { isOpen, shouldSkipAnimation: false, open: () => {}, close: () => dismiss.current() }
  return (
    <TooltipTriggerStateContext value={state}>
      <Tooltip
        ref={bubble}
        {...(layer && { UNSTABLE_portalContainer: layer })}
        triggerRef={anchor}
        placement="top"
        offset={8}
        style={{ zIndex: 9999, maxWidth: 'min(350px, 100vw - 1.5rem)' }}
        className={tooltipClass}
      >
        <span id={tooltipId}>{content.map(renderNode)}</span>
      </Tooltip>
    </TooltipTriggerStateContext>
  )
}

function closestAnchor(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest(selector) : null
}

function readContent(element: Element): TooltipNode[] {
  const html = element.getAttribute('data-tooltip-html')
  return html === null ? [element.getAttribute('data-tooltip') ?? ''] : parseTooltipHtml(html)
}

/** An icon button's tooltip is its name: a screen reader need not hear it twice. */
function isOwnName(element: Element): boolean {
  const name = element.getAttribute('aria-label')
  return name !== null && name === element.getAttribute('data-tooltip')
}

function markDescribed(element: Element, isDescribed: boolean): void {
  const others = (element.getAttribute('aria-describedby') ?? '')
    .split(/\s+/)
    .filter((id) => id && id !== tooltipId)
  const ids = isDescribed ? [...others, tooltipId] : others
  if (ids.length > 0) element.setAttribute('aria-describedby', ids.join(' '))
  else element.removeAttribute('aria-describedby')
}

function renderNode(node: TooltipNode, index: number): ReactNode {
  if (typeof node === 'string') return node
  if (node.tag === 'br') return createElement('br', { key: index })
  return createElement(node.tag, { key: index }, node.children.map(renderNode))
}
