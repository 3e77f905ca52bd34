import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const SYSTEM_PATHS = [
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

/** The path of a Chromium that works on this machine: Playwright's own where it was downloaded, else the system's. */
export const findChromium = (): string | undefined =>
  [chromium.executablePath(), ...SYSTEM_PATHS].find(starts)

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
  if (apt('update', '-qq')) apt('install', '-y', '-qq', 'chromium')
  if (findChromium()) return
  process.stderr.write(
    'The browser tests need Chromium, and none could be found or fetched. Install it (Debian: apt-get install chromium; ' +
      'elsewhere: npx playwright install --with-deps chromium) and run npm test again.\n',
  )
  process.exit(1)
}

if (import.meta.main) ensureChromium()
