export type ReviewCommand =
  | 'accept'
  | 'reject'
  | 'next'
  | 'edit'
  | 'next-page'
  | 'previous-page'
  | 'first-page'
  | 'last-page'
  | 'scroll-down'
  | 'scroll-up'
  | 'screen-down'
  | 'screen-up'
  | 'next-file'
  | 'previous-file'
  | 'zoom-in'
  | 'zoom-out'
  | 'zoom-fit'
  | 'undo'
  | 'help'

type Binding = {
  command: ReviewCommand
  /** Values of `KeyboardEvent.key`, letters in lower case. */
  keys: readonly string[]
  /** The keys as the help dialog shows them. */
  labels: readonly string[]
  description: string
  /** Whether holding the key down repeats the command; never for a verdict, which must be one key press. */
  repeats?: true
}

/**
 * The keys of a review, in the order of the help dialog. They work without Ctrl, Alt and Meta, which belong
 * to the shortcuts of the browser.
 */
export const REVIEW_SHORTCUTS: readonly Binding[] = [
  { command: 'accept', keys: ['a'], labels: ['A'], description: 'Acceptă încărcarea' },
  { command: 'reject', keys: ['r'], labels: ['R'], description: 'Respinge, cu motiv' },
  { command: 'next', keys: ['n', 'j'], labels: ['N', 'J'], description: 'Treci la următoarea, fără verdict' },
  { command: 'edit', keys: ['e'], labels: ['E'], description: 'Editează datele' },
  {
    command: 'screen-down',
    keys: [' '],
    labels: ['Spațiu'],
    description: 'Citește mai departe',
    repeats: true,
  },
  {
    command: 'screen-up',
    keys: ['shift+ '],
    labels: ['Shift', 'Spațiu'],
    description: 'Înapoi în text',
    repeats: true,
  },
  {
    command: 'scroll-down',
    keys: ['arrowdown'],
    labels: ['↓'],
    description: 'Derulează în jos',
    repeats: true,
  },
  { command: 'scroll-up', keys: ['arrowup'], labels: ['↑'], description: 'Derulează în sus', repeats: true },
  {
    command: 'next-page',
    keys: ['arrowright', 'pagedown'],
    labels: ['→', 'PgDn'],
    description: 'Pagina următoare',
    repeats: true,
  },
  {
    command: 'previous-page',
    keys: ['arrowleft', 'pageup'],
    labels: ['←', 'PgUp'],
    description: 'Pagina anterioară',
    repeats: true,
  },
  { command: 'first-page', keys: ['home'], labels: ['Home'], description: 'Prima pagină' },
  { command: 'last-page', keys: ['end'], labels: ['End'], description: 'Ultima pagină' },
  { command: 'next-file', keys: ['.'], labels: ['.'], description: 'Fișierul următor' },
  { command: 'previous-file', keys: [','], labels: [','], description: 'Fișierul anterior' },
  { command: 'zoom-in', keys: ['+', '='], labels: ['+'], description: 'Mărește', repeats: true },
  { command: 'zoom-out', keys: ['-'], labels: ['−'], description: 'Micșorează', repeats: true },
  { command: 'zoom-fit', keys: ['0'], labels: ['0'], description: 'Încadrează pe lățime' },
  {
    command: 'undo',
    keys: ['z'],
    labels: ['Z'],
    description: 'Anulează ultimul verdict, în primele secunde',
  },
  { command: 'help', keys: ['?'], labels: ['?'], description: 'Arată tastele' },
]

export type KeyPress = {
  key: string
  repeat: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  /** Whether the key writes into a field, or an input method is composing a letter. */
  isTyping: boolean
}

/**
 * Returns the command of a key press; null if the key has none, types text, or is held down without
 * repeating.
 */
export function readReviewKey(press: KeyPress): ReviewCommand | null {
  if (press.isTyping || press.ctrlKey || press.metaKey || press.altKey) return null
  const key = press.key.toLowerCase()
  const name = press.shiftKey && key === ' ' ? 'shift+ ' : key
  const binding = REVIEW_SHORTCUTS.find(({ keys }) => keys.includes(name))
  if (!binding || (press.repeat && !binding.repeats)) return null
  return binding.command
}
