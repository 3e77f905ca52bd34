import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The headless shell is first: it opens a page with a third of the processor time, with the engine of Chromium. */
const SYSTEM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const START_TIMEOUT_MS = 30_000
const INSTALL_TIMEOUT_MS = 600_000

/** Whether the browser exists and starts; it does not start where a system library is missing. */
const starts = (path: string): boolean =>
  existsSync(path) &&
  spawnSync(path, ['--version'], { stdio: 'ignore', timeout: START_TIMEOUT_MS }).status === 0

/**
 * Returns Playwright's launch option for a Chromium that works on this machine: the path of the system's, or no path where
 * Playwright has downloaded its own. Undefined where there is none.
 */
export function findChromium(): { executablePath?: string } | undefined {
  if (starts(chromium.executablePath())) return {}
  const executablePath = SYSTEM_PATHS.find(starts)
  return executablePath ? { executablePath } : undefined
}

const run = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit', timeout: INSTALL_TIMEOUT_MS }).status === 0

/** Finds a browser for the tests or installs one: Playwright's download, then Debian's package. */
function ensureChromium(): void {
  if (findChromium()) return
  process.stdout.write('No Chromium here: trying Playwright’s download, then Debian’s package.\n')
  // Only root may add system libraries; a test run must not stop at a password prompt.
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
    'The browser tests need Chromium, and none was found or could be installed. Install it (Debian: apt-get install chromium; ' +
      'elsewhere: npx playwright install --with-deps chromium) and run npm test again.\n',
  )
  process.exit(1)
}

if (import.meta.main) ensureChromium()
