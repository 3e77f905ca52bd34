/**
 * Parses the limited HTML of tooltips into plain data. The browser's parser is not used, because trusted
 * types forbid it: only the tags below are kept, without attributes; other tags are dropped and their text is
 * kept.
 */

export type TooltipNode = string | TooltipElement

export interface TooltipElement {
  tag: TooltipTag
  children: TooltipNode[]
}

const ALLOWED_TAGS = ['b', 'i', 'strong', 'em', 'br', 'code'] as const
export type TooltipTag = (typeof ALLOWED_TAGS)[number]

/** Tags whose content is dropped too, because it is not text for the reader. */
const DROPPED_TAGS = [
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

const MAX_DEPTH = 8

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

// Matches a comment, a declaration, a tag with attributes (a quoted `>` does not end the tag), a character
// reference, or text.
const TOKEN =
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

  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(html); match; match = TOKEN.exec(html)) {
    const [whole, closing, name, , reference] = match
    if (name) {
      const tag = name.toLowerCase()
      if (DROPPED_TAGS.includes(tag) && !closing) TOKEN.lastIndex = endOfElement(html, tag, TOKEN.lastIndex)
      else if (isAllowed(tag)) applyTag(tag, closing === '/', open, append)
    } else if (reference) append(decodeReference(reference) ?? whole)
    else if (!/^<[!?]/.test(whole)) append(whole)
    if (TOKEN.lastIndex >= html.length) break
  }
  return root
}

/** Whether the nodes contain text; without text no tooltip is shown [9.12]. */
export function hasTooltipText(nodes: readonly TooltipNode[]): boolean {
  return nodes.some((node) => (typeof node === 'string' ? node.trim() !== '' : hasTooltipText(node.children)))
}

function isAllowed(tag: string): tag is TooltipTag {
  return (ALLOWED_TAGS as readonly string[]).includes(tag)
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
  if (tag !== 'br' && open.length >= MAX_DEPTH) return
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
  if (!reference.startsWith('#')) return ENTITIES[reference.toLowerCase()] ?? null
  const hex = /^#x/i.test(reference)
  const code = Number.parseInt(reference.slice(hex ? 2 : 1), hex ? 16 : 10)
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : null
}
