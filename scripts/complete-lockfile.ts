import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'

/**
 * npm adds the optional packages of other platforms to the lock file with their integrity, except those that its registry
 * does not serve (npm/cli#4828); `npm ci` then rejects the file on every platform. To be run after `npm install`: it drops
 * the entries without integrity, lets npm add those that it finds, and adds the others by name, version and platform, so
 * that only that platform fetches them.
 */
type Entry = {
  version?: string
  integrity?: string
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'linuxmusl',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'windows',
]
const CPUS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'ppc64',
  'ppc64le',
  'riscv64',
  's390x',
  'universal',
  'wasm32',
  'x64',
]

const readLock = async () =>
  JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Record<string, Entry> }
const writeLock = (content: unknown) =>
  writeFile('package-lock.json', `${JSON.stringify(content, null, 2)}\n`)

const incomplete = await readLock()
const isComplete = ([place, entry]: [string, Entry]) => place === '' || entry.integrity !== undefined
incomplete.packages = Object.fromEntries(Object.entries(incomplete.packages).filter(isComplete))
await writeLock(incomplete)
execFileSync('npm', ['install', '--package-lock-only'], { stdio: 'inherit' })
const lock = await readLock()

/** Whether Node would find the package in the lock file, from the nearest folder up. */
function isLocked(from: string, name: string): boolean {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    if (lock.packages[`${place ? `${place}/` : ''}node_modules/${name}`]) return true
    if (place === '') return false
  }
}

function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const words = name.slice(name.indexOf('/') + 1).split(/[-.]/)
  const system = words.find((word) => SYSTEMS.includes(word))
  const cpu = words.find((word) => CPUS.includes(word))
  const os = system === 'windows' ? 'win32' : system === 'linuxmusl' ? 'linux' : system
  return {
    ...(cpu && cpu !== 'universal' && { cpu: [cpu] }),
    ...(os && { os: [os] }),
    ...(words.some((word) => word.includes('musl')) && { libc: ['musl'] }),
  }
}

let added = 0
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const platform = platformOf(name)
    if (isLocked(place, name) || !(platform.os || platform.cpu)) continue
    const version = range.replace(/^[\^~]/, '')
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(entry.dev && { dev: true }),
      optional: true,
    }
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
await writeLock(lock)
process.stdout.write(`${added} optional packages of other platforms without integrity\n`)
