import { counted } from '../../../shared/romania/romanian.ts'

/** Digits of which a text is taken for a CNP, or a part of one, rather than for a number. */
const CNP_DIGITS = 6

/** The changes that say what kind of text a list was searched for, never the text; none where nothing was searched for. */
export function describeSearch(text: string): { changes?: { search: { to: string } } } {
  const words = text.trim().split(/\s+/)
  if (words[0] === '') return {}
  const digits = /^[+#]?[\d\s.()/-]+$/.test(text) ? text.replace(/\D/g, '').length : 0
  const kind =
    digits >= CNP_DIGITS
      ? 'CNP sau telefon, întreg sau o parte'
      : digits > 0
        ? 'un număr'
        : counted(words.length, 'cuvânt', 'cuvinte')
  return { changes: { search: { to: kind } } }
}
