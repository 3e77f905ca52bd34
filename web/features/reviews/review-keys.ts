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
  | 'help'

type Binding = {
  command: ReviewCommand
  /** As `KeyboardEvent.key` says them, letters in lower case. */
  keys: readonly string[]
  /** As the list of keys shows them. */
  shown: readonly string[]
  does: string
  /** Goes on while the key is held down. A verdict never does. */
  repeats?: true
}

/** The keys of a review, all under one hand or the other, none where the Romanian layout has a letter of its own. */
export const REVIEW_KEYS: readonly Binding[] = [
  { command: 'accept', keys: ['a'], shown: ['A'], does: 'Acceptă încărcarea' },
  { command: 'reject', keys: ['r'], shown: ['R'], does: 'Respinge, cu motiv' },
  { command: 'next', keys: ['n', 'j'], shown: ['N', 'J'], does: 'Treci la următoarea, fără verdict' },
  { command: 'edit', keys: ['e'], shown: ['E'], does: 'Editează datele' },
  { command: 'screen-down', keys: [' '], shown: ['Spațiu'], does: 'Citește mai departe', repeats: true },
  {
    command: 'screen-up',
    keys: ['shift+ '],
    shown: ['Shift', 'Spațiu'],
    does: 'Înapoi în text',
    repeats: true,
  },
  { command: 'scroll-down', keys: ['arrowdown'], shown: ['↓'], does: 'Derulează în jos', repeats: true },
  { command: 'scroll-up', keys: ['arrowup'], shown: ['↑'], does: 'Derulează în sus', repeats: true },
  {
    command: 'next-page',
    keys: ['arrowright', 'pagedown'],
    shown: ['→', 'PgDn'],
    does: 'Pagina următoare',
    repeats: true,
  },
  {
    command: 'previous-page',
    keys: ['arrowleft', 'pageup'],
    shown: ['←', 'PgUp'],
    does: 'Pagina anterioară',
    repeats: true,
  },
  { command: 'first-page', keys: ['home'], shown: ['Home'], does: 'Prima pagină' },
  { command: 'last-page', keys: ['end'], shown: ['End'], does: 'Ultima pagină' },
  { command: 'next-file', keys: ['.'], shown: ['.'], does: 'Fișierul următor' },
  { command: 'previous-file', keys: [','], shown: [','], does: 'Fișierul anterior' },
  { command: 'zoom-in', keys: ['+', '='], shown: ['+'], does: 'Mărește', repeats: true },
  { command: 'zoom-out', keys: ['-'], shown: ['−'], does: 'Micșorează', repeats: true },
  { command: 'zoom-fit', keys: ['0'], shown: ['0'], does: 'Încadrează pe lățime' },
  { command: 'help', keys: ['?'], shown: ['?'], does: 'Arată tastele' },
]

export type KeyPress = {
  key: string
  repeat: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  /** The key writes into a field, or an input method is composing a letter. */
  isTyping: boolean
}

/** What a key asks for during a review; null where it asks for nothing, or is not meant for us. */
export function readReviewKey(press: KeyPress): ReviewCommand | null {
  if (press.isTyping || press.ctrlKey || press.metaKey || press.altKey) return null
  const key = press.key.toLowerCase()
  const wanted = press.shiftKey && key === ' ' ? 'shift+ ' : key
  const binding = REVIEW_KEYS.find(({ keys }) => keys.includes(wanted))
  if (!binding || (press.repeat && !binding.repeats)) return null
  return binding.command
}
