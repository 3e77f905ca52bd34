import type { Shortcut } from '../../ui/overlays/shortcuts-dialog.tsx'

export type InboxCommand =
  | 'next'
  | 'previous'
  | 'handle'
  | 'take'
  | 'undo'
  | 'select'
  | 'select-range'
  | 'clear'
  | 'search'
  | 'help'

const BINDINGS: readonly (Shortcut & {
  command: InboxCommand | null
  keys: readonly string[]
  repeats?: true
})[] = [
  { command: 'next', keys: ['j'], labels: ['J'], description: 'Rezultatul următor', repeats: true },
  { command: 'previous', keys: ['k'], labels: ['K'], description: 'Rezultatul anterior', repeats: true },
  // The link of the row itself.
  { command: null, keys: [], labels: ['Enter'], description: 'Deschide rezultatul' },
  { command: 'take', keys: ['p'], labels: ['P'], description: 'Preia rezultatul' },
  { command: 'handle', keys: ['e'], labels: ['E'], description: 'Marchează rezolvat' },
  { command: 'undo', keys: ['u'], labels: ['U'], description: 'Redeschide sau renunță la preluare' },
  { command: 'select', keys: ['x'], labels: ['X'], description: 'Alege rezultatul' },
  {
    command: 'select-range',
    keys: ['shift+x'],
    labels: ['Shift', 'X'],
    description: 'Alege toate de la ultimul ales',
  },
  { command: 'clear', keys: ['escape'], labels: ['Esc'], description: 'Renunță la selecție' },
  { command: 'search', keys: ['/'], labels: ['/'], description: 'Caută' },
  { command: 'help', keys: ['?'], labels: ['?'], description: 'Arată tastele' },
]

/** The keys of the inbox, as the dialog shows them. */
export const INBOX_SHORTCUTS: readonly Shortcut[] = BINDINGS

type KeyPress = Pick<KeyboardEvent, 'key' | 'repeat' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns the command of a key press outside fields; null for none, and for a mark that a held key would repeat. */
export function readInboxKey({
  key,
  repeat,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: KeyPress): InboxCommand | null {
  if (ctrlKey || metaKey || altKey) return null
  const letter = key.toLowerCase()
  const name = shiftKey && letter === 'x' ? 'shift+x' : letter
  const binding = BINDINGS.find(({ keys }) => keys.includes(name))
  return binding && (!repeat || binding.repeats) ? binding.command : null
}
