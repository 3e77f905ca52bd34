import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { chmod, chown, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Binaries, flushToDisk, prepareBinaries, SERVER_ENVIRONMENT } from './binaries.ts'
import { assertReachable, asUser, canReach, chooseServerUser, type ServerUser } from './server-user.ts'

/** A PostgreSQL data directory and all that is needed to run it. */
export type Cluster = {
  /** The product's data folder, without symlinks on its path. */
  dataDir: string
  /** `<dataDir>/postgres`. */
  directory: string
  /** Part of the titles of all processes of the cluster's server. */
  name: string
  password: string
  passwordFile: string
  user: ServerUser | null
  binaries: Binaries
}

export const SUPERUSER = 'dosar'

const STAGING_PREFIX = 'postgres.new-'

/**
 * Creates the data folder, closed to other users; when started as root, the user that PostgreSQL runs as may
 * pass through it by its group. Throws, naming the folder, when a folder is closed to that user or to this
 * process. Returns the path without symlinks.
 */
export function prepareDataDirectory(dataDir: string): string {
  assertWritable(nearestExisting(dataDir))
  const user = chooseServerUser(join(dataDir, 'postgres'))
  if (user) assertReachable(nearestExisting(dirname(dataDir)), user)
  const first = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!user) return realpathSync(dataDir)
  if (first) {
    for (let made = dirname(dataDir); made.length >= first.length; made = dirname(made))
      chmodSync(made, 0o711)
  }
  const { uid, mode } = statSync(dataDir)
  if (!canReach(dataDir, user) && uid === 0 && (mode & 0o070) === 0) {
    chownSync(dataDir, 0, user.gid)
    chmodSync(dataDir, (mode & 0o707) | 0o010)
  }
  assertReachable(dataDir, user)
  return realpathSync(dataDir)
}

/**
 * Returns the cluster in `<dataDir>/postgres`, and creates a missing one. To be called under the directory
 * lock. Throws an instruction for the operator when this user, these programs or this password cannot run the
 * cluster.
 */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const directory = join(dataDir, 'postgres')
  const user = chooseServerUser(directory)
  const binaries = await prepareBinaries(dataDir, user)
  const passwordFile = join(dataDir, 'postgres.password')
  const password = await readPassword(passwordFile, existsSync(directory))
  const hash = createHash('sha256').update(directory).digest('hex')
  const cluster = {
    dataDir,
    directory,
    name: `dosar-${hash.slice(0, 12)}`,
    password,
    passwordFile,
    user,
    binaries,
  }
  if (!existsSync(directory)) await createCluster(cluster)
  const made = readMajorVersion(directory)
  const major = binaries.version.split('.')[0]
  if (made !== major) {
    throw new Error(
      `The database in ${directory} was made by PostgreSQL ${made}, and this Dosar comes with PostgreSQL ${major}. Start the Dosar that made it, or set DATABASE_URL to a PostgreSQL that holds its data.`,
    )
  }
  return cluster
}

/**
 * Creates the cluster in a staging folder and renames it when complete, so that an interrupted start leaves
 * no half of one.
 */
async function createCluster({ dataDir, directory, password, user, binaries }: Cluster) {
  for (const entry of await readdir(dataDir)) {
    if (entry.startsWith(STAGING_PREFIX))
      await rm(join(dataDir, entry), { recursive: true, force: true, maxRetries: 5 })
  }
  const staging = await mkdtemp(join(dataDir, STAGING_PREFIX))
  const made = join(staging, 'cluster')
  const passwordCopy = join(staging, 'password')
  await writeFile(passwordCopy, password, { mode: 0o600 })
  if (user) {
    await chown(passwordCopy, user.uid, user.gid)
    await chown(staging, user.uid, user.gid)
  }
  const settings = [
    ...['-D', made, '--username', SUPERUSER, '--pwfile', passwordCopy, '--auth', 'scram-sha-256'],
    ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    '--data-checksums',
  ]
  const options = { cwd: staging, env: SERVER_ENVIRONMENT, ...asUser(user) }
  await promisify(execFile)(binaries.initdb, settings, options).catch(
    (error: Error & { stderr?: string }) => {
      throw new Error(
        `The database in ${directory} could not be made: ${error.stderr?.trim() || error.message}`,
      )
    },
  )
  await rename(made, directory)
  await rm(staging, { recursive: true })
  if (process.platform !== 'win32') flushToDisk(dataDir)
}

async function readPassword(path: string, clusterExists: boolean): Promise<string> {
  if (existsSync(path)) {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && mode & 0o077) await chmod(path, 0o600)
    return readFileSync(path, 'utf8').trim()
  }
  if (clusterExists)
    throw new Error(`${path} is missing: it holds the password of the database beside it. Restore it.`)
  const password = randomBytes(32).toString('base64url')
  await writeFile(`${path}.new`, password, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  return password
}

function readMajorVersion(directory: string): string {
  try {
    return readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()
  } catch {
    throw new Error(
      `${directory} holds no database (PG_VERSION cannot be read). Move it away, or set DATA_DIR.`,
    )
  }
}

function assertWritable(folder: string) {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    throw new Error(
      `This user may not write to ${folder}. Set DATA_DIR to a folder where it may, or start Dosar as its owner.`,
    )
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}
