import { createElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import { hasTooltipText, parseTooltipHtml, type TooltipNode } from './tooltip-html.ts'

const showAfter = 300
const hideAfter = 250
const selector = '[data-tooltip], [data-tooltip-html]'
const tooltipId = 'global-tooltip'

/**
 * The one tooltip of the application [2.18]. Any element gets one by an attribute: `data-tooltip="text"`, or
 * `data-tooltip-html="a <b>little</b> HTML"`, of which only b, i, strong, em, br and code survive. Placed on top, shown
 * after 300 ms of mouse or at once with the keyboard's focus delay, hidden after 250 ms; the mouse may enter it; Escape
 * closes it [9.12].
 */
export function TooltipHost() {
  const anchor = useRef<Element | null>(null)
  const bubble = useRef<HTMLDivElement>(null)
  const [content, setContent] = useState<readonly TooltipNode[]>([])
  const [isOpen, setOpen] = useState(false)
  const state = {
    isOpen,
    shouldSkipAnimation: false,
    open: () => setOpen(true),
    close: () => setOpen(false),
  }

  useEffect(() => {
    const stopped = new AbortController()
    const { signal } = stopped
    let timer: ReturnType<typeof setTimeout> | undefined
    let wanted: Element | null = null
    let lastPointer = 'mouse'
    let isPressing = false

    const after = (ms: number, act: () => void) => {
      clearTimeout(timer)
      timer = setTimeout(act, ms)
    }
    const hide = () => {
      clearTimeout(timer)
      wanted = null
      if (anchor.current) markDescribed(anchor.current, false)
      setOpen(false)
    }
    const show = (element: Element) => {
      const nodes = readContent(element)
      if (!element.isConnected || !hasTooltipText(nodes)) return
      if (anchor.current) markDescribed(anchor.current, false)
      anchor.current = element
      if (!isOwnName(element)) markDescribed(element, true)
      setContent(nodes)
      setOpen(true)
    }
    const ask = (element: Element) => {
      if (wanted === element) return clearTimeout(timer)
      wanted = element
      after(showAfter, () => show(element))
    }
    const leave = () => {
      if (wanted) after(hideAfter, hide)
    }
    const isBubble = (node: EventTarget | null) => node instanceof Node && !!bubble.current?.contains(node)

    document.addEventListener(
      'pointerover',
      (event) => {
        lastPointer = event.pointerType
        if (lastPointer !== 'mouse') return
        const element = closestAnchor(event.target)
        if (element) ask(element)
        else if (isBubble(event.target)) clearTimeout(timer)
        else leave()
      },
      { signal },
    )
    document.documentElement.addEventListener('pointerleave', leave, { signal })
    document.addEventListener(
      'pointerdown',
      (event) => {
        isPressing = true
        if (!isBubble(event.target)) hide()
      },
      { signal, capture: true },
    )
    document.addEventListener('pointerup', () => (isPressing = false), { signal, capture: true })
    document.addEventListener('pointercancel', () => (isPressing = false), { signal, capture: true })
    document.addEventListener(
      'focusin',
      (event) => {
        const element = closestAnchor(event.target)
        if (element && !isPressing) ask(element)
      },
      { signal },
    )
    document.addEventListener('focusout', leave, { signal })
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape') hide()
      },
      { signal, capture: true },
    )
    // The element may go while its tooltip is open: a closed dialog, a removed row.
    const gone = new MutationObserver(() => {
      if (wanted && !wanted.isConnected) hide()
    })
    gone.observe(document.body, { childList: true, subtree: true })

    return () => {
      stopped.abort()
      gone.disconnect()
      hide()
    }
  }, [])

  return (
    <TooltipTriggerStateContext value={state}>
      <Tooltip
        ref={bubble}
        triggerRef={anchor}
        placement="top"
        offset={8}
        style={{ zIndex: 9999, maxWidth: 350 }}
        className="rounded-md bg-ink px-2.5 py-1.5 text-sm text-canvas shadow-raised transition-opacity data-entering:opacity-0 data-exiting:opacity-0"
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
