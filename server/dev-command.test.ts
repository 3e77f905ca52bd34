import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './http/pages/front-end.ts'

it('Ctrl C ends npm run dev and its PostgreSQL, also without a file .env', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dosar-test-'))
  // PostgreSQL's user must be able to pass through.
  chmodSync(folder, 0o711)
  try {
    for (const name of ['package.json', 'server', 'node_modules'])
      symlinkSync(join(ROOT, name), join(folder, name))
    const dataDir = join(folder, 'data')
    const dev = spawn('npm', ['run', 'dev'], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir },
      // A process group of its own, like a terminal's foreground group.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [dev.stdout, dev.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    await expect.poll(() => output, { timeout: 110_000 }).toContain('Dosar: http')
    // The terminal sends Ctrl C to every process of the group.
    process.kill(-dev.pid!, 'SIGINT')
    const [code] = await once(dev, 'exit')
    expect(output.slice(output.indexOf('stopping'))).not.toMatch(/Assertion|Error|error/)
    expect(code).toBe(0)
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
