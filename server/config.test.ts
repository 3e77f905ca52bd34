import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const base = mkdtempSync(join(tmpdir(), 'dosar-config-'))
afterAll(() => rmSync(base, { recursive: true }))
const folder = () => mkdtempSync(join(base, 'data-'))
const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: join(folder(), 'a', 'b'), ...env })

describe('the settings', () => {
  it('are all optional: an embedded database, port 3000, and a generated secret that persists', () => {
    const DATA_DIR = join(folder(), 'data')
    const config = readConfig({ DATA_DIR })
    expect(config).toMatchObject({
      production: false,
      port: 3000,
      url: 'http://localhost:3000',
      database: { kind: 'embedded' },
    })
    expect(config.secret.length).toBeGreaterThanOrEqual(32)
    expect(readConfig({ DATA_DIR }).secret).toEqual(config.secret)
    expect(statSync(join(DATA_DIR, 'secret')).mode & 0o777).toBe(0o600)
    expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700)
  })

  it('treat an empty value as not set', () => {
    expect(read({ PORT: '', DATABASE_URL: '', AUTH_SECRET: '', PUBLIC_URL: '' }).port).toBe(3000)
  })

  it.each([
    [{ PORT: 'abc' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL'],
    [{ PUBLIC_URL: 'rezultate.ro' }, 'PUBLIC_URL'],
    [{ AUTH_SECRET: 'short' }, 'AUTH_SECRET'],
    [{ AUTH_SECRET: 'change-me-change-me-change-me-change-me' }, 'AUTH_SECRET'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ WORKERS: '0' }, 'WORKERS'],
    [{ WORKERS: '9' }, 'WORKERS'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV'],
    [{ BACKEND_HOSTS: 'date.exemplu.ro' }, 'BACKEND_HOSTS'],
    [{ BACKEND_HOSTS: 'https://date.exemplu.ro/api' }, 'BACKEND_HOSTS'],
    [{ BACKEND_HOSTS: 'https://*' }, 'BACKEND_HOSTS'],
    [{ BACKEND_HOSTS: 'https://x;sandbox' }, 'BACKEND_HOSTS'],
    [{ BACKEND_HOSTS: 'http://date.exemplu.ro' }, 'BACKEND_HOSTS'],
    [{ NODE_ENV: 'production', BACKEND_HOSTS: 'http://localhost:4000' }, 'BACKEND_HOSTS'],
    [{ TRUST_PROXY: 'maybe' }, 'TRUST_PROXY'],
    [{ CLAMD_ADDRESS: 'localhost' }, 'CLAMD_ADDRESS'],
    [{ CLAMD_ADDRESS: 'localhost:99999' }, 'CLAMD_ADDRESS'],
    [{ CLAMD_ADDRESS: 'tcp://localhost:3310' }, 'CLAMD_ADDRESS'],
    [{ NODE_ENV: 'production', DATABASE_URL: 'postgres://u:p@host/db' }, 'AUTH_SECRET'],
  ])('reject %j and name it', (env, name) => {
    expect(() => read(env)).toThrow(ConfigError)
    expect(() => read(env)).toThrow(name)
  })

  it('reject a data folder of another user, and say what to do', () => {
    const DATA_DIR = folder()
    chmodSync(base, 0o755)
    chmodSync(DATA_DIR, 0o555)
    const script = `import(${JSON.stringify(new URL('config.ts', import.meta.url))}).then(({ readConfig }) => readConfig())
      .catch(({ name, message }) => console.log(name + ': ' + message))`
    const uid = process.getuid?.() === 0 ? 65_534 : process.getuid!()
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { DATA_DIR },
      encoding: 'utf8',
      uid,
    })
    expect(output).toContain(`ConfigError: DATA_DIR: ${DATA_DIR}`)
    expect(output).toContain(`chown -R ${uid} ${DATA_DIR}`)
  })

  it('list the hosts to which browsers may be sent', () => {
    expect(read().backendHosts).toEqual([])
    const BACKEND_HOSTS = 'https://date.exemplu.ro, http://localhost:4000,'
    expect(read({ BACKEND_HOSTS }).backendHosts).toEqual(['https://date.exemplu.ro', 'http://localhost:4000'])
  })

  it.each([
    ['', null],
    ['clamd.exemplu.ro:3310', { host: 'clamd.exemplu.ro', port: 3310 }],
    ['[::1]:3310', { host: '::1', port: 3310 }],
    ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ])('read the address of the scanner %j', (CLAMD_ADDRESS, address) => {
    expect(read({ CLAMD_ADDRESS }).clamd).toEqual(address)
  })

  it('are all in .env.example, and nothing else is', () => {
    const documented = readFileSync('.env.example', 'utf8').match(/^[A-Z_]+(?==)/gm)
    const parsed = readFileSync('server/config.ts', 'utf8')
      .match(/^ {2}[A-Z_]+(?=: optional)/gm)
      ?.map((name) => name.trim())
    expect(documented?.sort()).toEqual(parsed?.sort())
  })

  it('accept every value that .env.example proposes', () => {
    const proposed = Object.fromEntries(
      [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
    expect(() => readConfig({ ...proposed, DATA_DIR: folder() })).not.toThrow()
  })
})
