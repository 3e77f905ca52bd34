import DOMPurify, { type Config } from 'dompurify'

const ALLOWED = {
  ALLOWED_TAGS: ['b', 'i', 'strong', 'em', 'br', 'code'],
  ALLOWED_ATTR: [],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config

/**
 * Returns what the tooltip of an element shows: its text, or its HTML with the tags above only and without
 * attributes, or what is cut off of it. Null without text, since then there is no tooltip [9.12].
 */
export function readTooltip(element: Element): DocumentFragment | null {
  const html = element.getAttribute('data-tooltip-html')
  const content = html === null ? document.createDocumentFragment() : DOMPurify.sanitize(html, ALLOWED)
  if (html === null) content.append(element.getAttribute('data-tooltip') ?? cutTexts(element).join(' · '))
  return content.textContent?.trim() ? content : null
}

/**
 * Returns the whole texts of what is cut off in the element; with `data-tooltip-cut="row"` in its table row, whose link
 * covers all cells. A part of an element with `data-whole` stands for the whole of it.
 */
function cutTexts(element: Element): string[] {
  const kind = element.getAttribute('data-tooltip-cut')
  const scope = kind === 'row' ? element.closest('tr') : kind === null ? null : element
  if (!scope) return []
  const cut = [scope, ...scope.querySelectorAll('*')].filter(
    (each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).textOverflow === 'ellipsis',
  )
  return [...new Set(cut.map((each) => (each.closest('[data-whole]') ?? each).textContent?.trim() ?? ''))]
}
