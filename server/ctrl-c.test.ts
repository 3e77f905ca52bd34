import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer } from '../scripts/build-server.ts'
import { ROOT } from './http/pages/front-end.ts'

/** The product's folder without a file `.env`, and its data. */
let folder: string

beforeAll(async () => {
  await buildServer()
  folder = mkdtempSync(join(tmpdir(), 'dosar-test-'))
  // PostgreSQL's user must be able to pass through.
  chmodSync(folder, 0o711)
  for (const name of ['package.json', 'server', 'dist-server', 'node_modules'])
    symlinkSync(join(ROOT, name), join(folder, name))
})
afterAll(() => rmSync(folder, { recursive: true }))

// The option leaves out the builds.
it.each([
  ['run dev', 'Dosar: http', '1'],
  ['start --ignore-scripts', 'Dosar: http', '1'],
  ['start --ignore-scripts', 'postgres.started', '1'],
  ['start --ignore-scripts', 'Dosar: http', '2'],
])(
  'Ctrl C ends npm %s and its PostgreSQL, after it wrote %s with WORKERS=%s',
  async (command, text, workers) => {
    const dataDir = join(folder, 'data')
    const npm = spawn('npm', command.split(' '), {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, WORKERS: workers },
      // A process group of its own, like a terminal's foreground group.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [npm.stdout, npm.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    await expect.poll(() => output, { timeout: 110_000 }).toContain(text)
    // A terminal sends Ctrl C to every process of the group, and npm passes it on to the server once more.
    process.kill(-npm.pid!, 'SIGINT')
    const [code] = await once(npm, 'exit')
    expect(code, output).toBe(0)
    expect(output).not.toContain('worker: ended')
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  },
)
