/**
 * The little HTML that a tooltip may carry, read into plain data. Nothing is handed to the browser's own parser (which
 * trusted types would refuse, rightly): only the tags below come out, without attributes; everything else comes out as
 * text or not at all.
 */

export type TooltipNode = string | TooltipElement

export interface TooltipElement {
  tag: TooltipTag
  children: TooltipNode[]
}

const allowedTags = ['b', 'i', 'strong', 'em', 'br', 'code'] as const
export type TooltipTag = (typeof allowedTags)[number]

/** Their content is code, not words. */
const silentTags = [
  'script',
  'style',
  'template',
  'iframe',
  'object',
  'noscript',
  'svg',
  'math',
  'textarea',
  'title',
]

const maxDepth = 8

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

// A tag with its attributes (a quoted `>` does not end it), a comment, a declaration; or a reference; or text.
const token =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*(?:>|$)|<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)(?:>|$)|&(#x?[0-9a-f]+|[a-z]+);|[^<&]+|[<&]/giy

export function parseTooltipHtml(html: string): TooltipNode[] {
  const root: TooltipNode[] = []
  const open: TooltipElement[] = []
  const append = (node: TooltipNode) => {
    const children = open.at(-1)?.children ?? root
    const last = children.length - 1
    if (typeof node === 'string' && typeof children[last] === 'string') children[last] += node
    else children.push(node)
  }

  token.lastIndex = 0
  for (let match = token.exec(html); match; match = token.exec(html)) {
    const [whole, closing, name, , reference] = match
    if (name) {
      const tag = name.toLowerCase()
      if (silentTags.includes(tag) && !closing) token.lastIndex = endOfElement(html, tag, token.lastIndex)
      else if (isAllowed(tag)) applyTag(tag, closing === '/', open, append)
    } else if (reference) append(decodeReference(reference) ?? whole)
    else if (!/^<[!?]/.test(whole)) append(whole)
    if (token.lastIndex >= html.length) break
  }
  return root
}

/** Whether there is anything to show: no content means no tooltip [9.12]. */
export function hasTooltipText(nodes: readonly TooltipNode[]): boolean {
  return nodes.some((node) => (typeof node === 'string' ? node.trim() !== '' : hasTooltipText(node.children)))
}

function isAllowed(tag: string): tag is TooltipTag {
  return (allowedTags as readonly string[]).includes(tag)
}

function applyTag(
  tag: TooltipTag,
  isClosing: boolean,
  open: TooltipElement[],
  append: (node: TooltipNode) => void,
): void {
  if (isClosing) {
    const index = open.findLastIndex((element) => element.tag === tag)
    if (index >= 0) open.length = index
    return
  }
  if (tag !== 'br' && open.length >= maxDepth) return
  const element: TooltipElement = { tag, children: [] }
  append(element)
  if (tag !== 'br') open.push(element)
}

function endOfElement(html: string, tag: string, from: number): number {
  const end = new RegExp(`</${tag}\\b[^>]*(?:>|$)`, 'gi')
  end.lastIndex = from
  return end.test(html) ? end.lastIndex : html.length
}

function decodeReference(reference: string): string | null {
  if (!reference.startsWith('#')) return entities[reference.toLowerCase()] ?? null
  const hex = /^#x/i.test(reference)
  const code = Number.parseInt(reference.slice(hex ? 2 : 1), hex ? 16 : 10)
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : null
}
