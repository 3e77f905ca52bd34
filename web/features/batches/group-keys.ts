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
  { labels: ['/'], description: 'sau litere, fără Z: caută pacientul' },
  { labels: ['Spațiu'], description: 'arată fișierul' },
  { labels: ['→', 'Esc'], description: 'în fișiere și înapoi' },
  { labels: ['Z'], description: 'ia înapoi ultima trimitere' },
  { labels: ['Del'], description: 'scoate' },
]

const COMMANDS: Record<string, GroupCommand> = {
  Enter: 'accept',
  ' ': 'preview',
  ArrowRight: 'panel',
  '/': 'search',
  z: 'undo',
  Z: 'undo',
  Delete: 'remove',
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
}
/** Holding these down repeats them; what files or removes a row must be one press each. */
const REPEATED: ReadonlySet<GroupCommand> = new Set(['next', 'previous'])

/**
 * Returns the command of a key press in the list; null for none. A letter or a digit searches a patient, except `Z`: such a
 * name is searched after `/`.
 */
export function readGroupKey({
  key,
  repeat,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'repeat' | 'ctrlKey' | 'metaKey' | 'altKey'>): GroupCommand | null {
  if (ctrlKey || metaKey) return key === 'Enter' && !repeat && !altKey ? 'accept-sure' : null
  if (altKey) return null
  const command = COMMANDS[key] ?? (/^[\p{L}\d]$/u.test(key) ? 'search' : null)
  return repeat && command && !REPEATED.has(command) ? null : command
}
