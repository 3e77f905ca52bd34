/**
 * How far a sandbox process is separated from the server, beyond Node's own permissions, which native code
 * could get around. From the best to the least.
 */
export const ISOLATIONS = [
  /**
   * No network, and empty folders instead of the hidden ones; started as root also another user. Linux
   * namespaces, made with util-linux.
   */
  'namespaces',
  /** Another user than the server's, but the network; only when started as root. */
  'user',
  /** The server's user and network. */
  'none',
] as const
export type Isolation = (typeof ISOLATIONS)[number]

/**
 * User ids that distributions assign to no account (systemd keeps them for short-lived users). Each process
 * gets the next one, so that it has no rights over another one.
 */
const FIRST_UID = 61_184
const UIDS = 1_024
let started = 0

/** Mounts an empty folder on each of the first $1 arguments, then runs the others. */
const HIDE =
  'n=$1; shift; while [ $n -gt 0 ]; do mount -t tmpfs -o ro,mode=0555 none "$1" || exit; shift; n=$((n-1)); done; exec "$@"'

/** Returns the command that runs `command` in this isolation; it fails where that is not possible. */
export function isolate(how: Isolation, hidden: readonly string[], command: readonly string[]): string[] {
  const isRoot = process.getuid?.() === 0
  if (how === 'none') return [...command]
  if (how === 'user') return isRoot ? asOtherUser(command) : ['false']
  const hide = (rest: readonly string[]) => [
    '/bin/sh',
    '-c',
    HIDE,
    'sh',
    String(hidden.length),
    ...hidden,
    ...rest,
  ]
  return isRoot
    ? ['unshare', '--net', '--mount', '--', ...hide(asOtherUser(command))]
    : // The first namespace may mount; the second one, in which the process runs, has no rights over the first.
      [
        ...['unshare', '--user', '--map-root-user', '--net', '--mount', '--'],
        ...hide(['unshare', '--user', '--', 'setpriv', '--no-new-privs', '--', ...command]),
      ]
}

function asOtherUser(command: readonly string[]): string[] {
  const uid = FIRST_UID + (started++ % UIDS)
  return [
    ...['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--bounding-set=-all'],
    ...['--inh-caps=-all', '--no-new-privs', '--', ...command],
  ]
}
