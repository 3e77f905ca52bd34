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
 * attributes. Null without text, since then there is no tooltip [9.12].
 */
export function readTooltip(element: Element): DocumentFragment | null {
  const html = element.getAttribute('data-tooltip-html')
  const content = html === null ? document.createDocumentFragment() : DOMPurify.sanitize(html, ALLOWED)
  if (html === null) content.append(element.getAttribute('data-tooltip') ?? '')
  return content.textContent?.trim() ? content : null
}
