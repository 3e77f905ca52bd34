import { readDate } from '../../../shared/romania/read-date.ts'
import { counted } from '../../../shared/romania/romanian.ts'

/** From this many digits on a text is taken for a CNP or a part of one. */
const CNP_DIGITS = 6

/**
 * Returns audit changes that describe the kind of text searched for, never the text; empty if there was no
 * search.
 */
export function describeSearch(text: string): { changes?: { search: { to: string } } } {
  const words = text.trim().split(/\s+/)
  if (words[0] === '') return {}
  if (readDate(text.trim(), 0)?.end === text.trim().length) return { changes: { search: { to: 'o dată' } } }
  const digits = /^[+#]?[\d\s.()/-]+$/.test(text) ? text.replace(/\D/g, '').length : 0
  const kind =
    digits >= CNP_DIGITS
      ? 'CNP sau telefon, întreg sau o parte'
      : digits > 0
        ? 'un număr'
        : counted(words.length, 'cuvânt', 'cuvinte')
  return { changes: { search: { to: kind } } }
}
