export type GroupCommand =
  | 'accept'
  | 'accept-sure'
  | 'search'
  | 'preview'
  | 'panel'
  | 'undo'
  | 'remove'
  | 'next'
  | 'previous'
  | 'first'
  | 'last'

/** The keys of the list of groups, as the line under it shows them. */
export const GROUP_SHORTCUTS: readonly { labels: readonly string[]; description: string }[] = [
  { labels: ['↑', '↓'], description: 'alege rândul' },
  { labels: ['Enter'], description: 'trimite rândul' },
  { labels: ['Ctrl', 'Enter'], description: 'trimite toate cele sigure' },
  { labels: ['/'], description: 'sau orice literă: caută pacientul' },
  { labels: ['Spațiu'], description: 'arată fișierul' },
  { labels: ['→', 'Esc'], description: 'în fișiere și înapoi' },
  { labels: ['Ctrl', 'Z'], description: 'ia înapoi ultima trimitere' },
  { labels: ['Del'], description: 'scoate' },
]

const COMMANDS: Record<string, GroupCommand> = {
  Enter: 'accept',
  ' ': 'preview',
  ArrowRight: 'panel',
  '/': 'search',
  Delete: 'remove',
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
}
const WITH_CTRL: Record<string, GroupCommand> = { enter: 'accept-sure', z: 'undo' }
/** Holding these down repeats them; what files or removes a row must be one press each. */
const REPEATED: ReadonlySet<GroupCommand> = new Set(['next', 'previous'])

/** Returns the command of a key press in the list; null for none. Each letter and digit begins the search of a patient. */
export function readGroupKey({
  key,
  repeat,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<
  KeyboardEvent,
  'key' | 'repeat' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'
>): GroupCommand | null {
  if (ctrlKey || metaKey) return repeat || altKey || shiftKey ? null : (WITH_CTRL[key.toLowerCase()] ?? null)
  if (altKey) return null
  const command = COMMANDS[key] ?? (/^[\p{L}\d]$/u.test(key) ? 'search' : null)
  return repeat && command && !REPEATED.has(command) ? null : command
}
