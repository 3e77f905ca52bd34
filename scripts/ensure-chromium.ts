import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of a Chromium on this machine: Playwright's own where it was downloaded, else the system's. */
export const findChromium = (): string | undefined =>
  [chromium.executablePath(), ...SYSTEM_PATHS].find(existsSync)

const run = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit', timeout: 600_000 }).status === 0

/** Finds a browser for the tests or gets one: Playwright's download, then Debian's package. */
function ensureChromium(): void {
  if (findChromium()) return
  process.stdout.write('No Chromium here: trying Playwright’s download, then Debian’s package.\n')
  if (run('npx', ['playwright', 'install', '--with-deps', 'chromium']) && findChromium()) return
  if (run('npx', ['playwright', 'install', 'chromium']) && findChromium()) return
  if (
    run('apt-get', ['update', '-qq']) &&
    run('apt-get', ['install', '-y', '-qq', 'chromium']) &&
    findChromium()
  )
    return
  process.stderr.write(
    'The browser tests need Chromium, and it could be neither found nor fetched. Install it (Debian: apt-get install chromium; ' +
      'elsewhere: npx playwright install chromium) and run npm test again.\n',
  )
  process.exit(1)
}

if (import.meta.main) ensureChromium()
