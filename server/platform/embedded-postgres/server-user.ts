import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The user that PostgreSQL runs as; functions take or return `null` for the user of this process. */
export type ServerUser = { name: string; uid: number; gid: number }

const PREFERRED = ['dosar', 'postgres', 'nobody']

/**
 * Returns the user for PostgreSQL, which does not run as root. As root: the owner of an existing cluster,
 * else the first existing user of dosar, postgres and nobody; otherwise null, the user of this process.
 * Throws an instruction for the operator if, as root, the cluster belongs to root or none of these users
 * exists, or if, not as root, the cluster belongs to another user.
 */
export function chooseServerUser(clusterDirectory: string): ServerUser | null {
  const self = process.getuid?.()
  if (self === undefined) return null
  const owner = statSync(clusterDirectory, { throwIfNoEntry: false })
  if (self !== 0) {
    if (!owner || owner.uid === self) return null
    throw new Error(
      `The database in ${clusterDirectory} belongs to ${userName(owner.uid)}. Start Dosar as that user or as root, or set DATA_DIR to another folder.`,
    )
  }
  if (owner?.uid === 0) {
    throw new Error(
      `The database in ${clusterDirectory} belongs to root, and PostgreSQL cannot run as root. Give it back to the user that it ran as: chown -R <user> ${clusterDirectory}`,
    )
  }
  if (owner) return { name: userName(owner.uid), uid: owner.uid, gid: owner.gid }
  const users = readNonRootUsers()
  const user = PREFERRED.map((name) => users.find((each) => each.name === name)).find(
    (found) => found !== undefined,
  )
  if (user) return user
  throw new Error(
    'PostgreSQL cannot run as root and this machine has none of the users dosar, postgres and nobody. Create one (useradd --system dosar), start Dosar as an ordinary user, or set DATABASE_URL.',
  )
}

/** Returns the options of node:child_process that start a program as `user`. */
export function asUser(user: ServerUser | null): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {}
}

/** Throws when `user` cannot reach `path`, and names the folder that `user` may not enter. */
export function assertReachable(path: string, user: ServerUser) {
  const folder = findInaccessibleFolder(realpathSync(path), user)
  if (!folder) return
  throw new Error(
    `PostgreSQL cannot run as root, so it runs as the user ${user.name}, who may not enter ${folder}. Allow it (chmod o+x ${folder}), set DATA_DIR to a folder outside it (as root the default is /var/lib/dosar), start Dosar as an ordinary user, or set DATABASE_URL.`,
  )
}

export function canReach(path: string, user: ServerUser): boolean {
  return findInaccessibleFolder(realpathSync(path), user) === null
}

/**
 * Returns the topmost part of the path that `user` may not enter, null if there is none. Only the user's
 * primary group counts.
 */
function findInaccessibleFolder(path: string, user: ServerUser): string | null {
  const parent = dirname(path)
  const above = parent === path ? null : findInaccessibleFolder(parent, user)
  if (above) return above
  const { mode, uid, gid } = statSync(path)
  const permission = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode
  return permission & 1 ? null : path
}

function userName(uid: number): string {
  return readNonRootUsers().find((user) => user.uid === uid)?.name ?? `uid ${uid}`
}

/** Returns the users of /etc/passwd without root, as which PostgreSQL does not run. */
function readNonRootUsers(): ServerUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid !== 0)
}
