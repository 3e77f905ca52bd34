import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { findFreePort } from '../../test/real-http.ts'
import { setUpSecondFactor } from '../harness/second-factor.ts'

test('npm start in production: no demo, a link for the first administrator that works once and is in no log, and a stop in order', async ({
  browser,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dosar-e2e-'))
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const npm = spawn('npm', ['start'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      PUBLIC_URL: '',
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const file = join(dataDir, 'first-administrator-link')
  await expect.poll(() => printed, { timeout: 60_000 }).toContain(`the link is in ${file}`)
  expect(printed).not.toContain('/cont/')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const path = (await readFile(file, 'utf8')).trim().slice(url.length)

  const page = await browser.newPage({ baseURL: url })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Autentificare' })).toBeVisible()
  await expect(page.getByText('demonstrație')).toHaveCount(0)

  await page.goto(path)
  await page.getByLabel('Parola nouă', { exact: false }).first().fill('o parolă lungă și bună')
  await page.keyboard.press('Enter')
  await setUpSecondFactor(page)
  await expect(page).toHaveURL(/\/admin$/)

  const other = await browser.newPage({ baseURL: url })
  await other.goto(path)
  await expect(other.getByRole('heading', { name: 'Linkul nu mai este valabil' })).toBeVisible()
  await page.context().close()
  await other.context().close()

  const ended = once(npm, 'exit')
  npm.kill('SIGTERM')
  await ended
  // The database stops last: its lock file exists as long as any process of the product runs.
  await expect
    .poll(() => existsSync(join(dataDir, 'postgres', 'postmaster.pid')), { timeout: 20_000 })
    .toBe(false)
  await rm(dataDir, { recursive: true, force: true })
})
