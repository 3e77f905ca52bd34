import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The shell first: it opens a page with a third of the work, and draws it with the same engine. */
const SYSTEM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const START_MS = 30_000
const INSTALL_MS = 600_000

/** One that lacks a library of the system is there and does not start. */
const starts = (path: string): boolean =>
  existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: START_MS }).status === 0

/**
 * A Chromium that works on this machine, as what Playwright is to be told of it: nothing where it was downloaded, for then it
 * finds its own shell, else the path of the system's. Undefined where there is none.
 */
export function findChromium(): { executablePath?: string } | undefined {
  if (starts(chromium.executablePath())) return {}
  const executablePath = SYSTEM_PATHS.find(starts)
  return executablePath ? { executablePath } : undefined
}

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit', timeout: INSTALL_MS }).status === 0

/** Finds a browser for the tests or gets one: Playwright's download, then Debian's package. */
function ensureChromium(): void {
  if (findChromium()) return
  process.stdout.write('No Chromium here: trying Playwright’s download, then Debian’s package.\n')
  // Only root may add system libraries; nobody is asked for a password in the middle of a test run.
  const isRoot = process.getuid?.() === 0
  run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
  if (findChromium()) return
  if (isRoot) run('npx', ['playwright', 'install', 'chromium'])
  if (findChromium()) return
  const apt = (...args: string[]) => (isRoot ? run('apt-get', args) : run('sudo', ['-n', 'apt-get', ...args]))
  const install = (name: string) => apt('install', '-y', '-qq', name)
  if (apt('update', '-qq') && !install('chromium-headless-shell')) install('chromium')
  if (findChromium()) return
  process.stderr.write(
    'The browser tests need Chromium, and none could be found or fetched. Install it (Debian: apt-get install chromium; ' +
      'elsewhere: npx playwright install --with-deps chromium) and run npm test again.\n',
  )
  process.exit(1)
}

if (import.meta.main) ensureChromium()
