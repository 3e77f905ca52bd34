import { chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { canReach } from './server-user.ts'

/**
 * Where the server listens, in the form that `pg` expects: a folder with a Unix socket, or a loopback
 * address.
 */
export type Address = { host: string; port: number }

// sockaddr_un: 104 bytes on macOS, 108 on Linux, with a closing zero.
const SOCKET_PATH_BYTES = 103
const SOCKET_PORT = 5432
const TEMPORARY_PREFIX = 'dosar-postgres-'

/**
 * Returns `<dataDir>/postgres-socket`; when that path is too long for a Unix socket, a private folder in the
 * system's temporary folder; on Windows a free port of the loopback interface. `before` is the address of the
 * last server, if that was killed.
 */
export async function chooseAddress(cluster: Cluster, before: Address | null): Promise<Address> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: await findFreePort() }
  const own = join(cluster.dataDir, 'postgres-socket')
  if (fits(own)) return { host: own, port: SOCKET_PORT }
  // Not reused if another user has created a folder of that name since.
  if (before && isTemporary(before) && isPrivate(before.host, cluster)) return before
  const { user } = cluster
  const usable = (folder: string) =>
    fits(join(folder, `${TEMPORARY_PREFIX}XXXXXX`)) && (!user || canReach(folder, user))
  const host = mkdtempSync(join(usable(tmpdir()) ? tmpdir() : '/tmp', TEMPORARY_PREFIX))
  if (user) chownSync(host, user.uid, user.gid)
  return { host, port: SOCKET_PORT }
}

/** Removes the socket folder if it is outside the data folder. */
export function discardAddress(address: Address) {
  if (isTemporary(address)) rmSync(address.host, { recursive: true, force: true })
}

function isTemporary({ host }: Address): boolean {
  return basename(host).startsWith(TEMPORARY_PREFIX)
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_BYTES
}

/** Creates the socket folder; throws when it exists and another user could put a socket into it. */
export function makeSocketDirectory(path: string, cluster: Cluster) {
  if (!existsSync(path)) {
    mkdirSync(path, { mode: 0o700 })
    if (cluster.user) chownSync(path, cluster.user.uid, cluster.user.gid)
  }
  if (!isPrivate(path, cluster)) {
    throw new Error(`${path} must be a folder that only PostgreSQL's user can open. Remove it.`)
  }
}

function isPrivate(path: string, cluster: Cluster): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  const uid = cluster.user?.uid ?? process.getuid?.()
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
