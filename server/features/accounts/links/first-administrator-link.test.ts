import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { writeFirstAdministratorLink } from './first-administrator-link.ts'

const ADMINISTRATOR = { email: 'sefa@clinica.test', token: 'x'.repeat(43) }
const LINK = `https://rezultate.exemplu.ro/cont/${ADMINISTRATOR.token}`

let dataDir: string
let path: string
const config = () => ({ url: 'https://rezultate.exemplu.ro', dataDir })

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dosar-link-'))
  path = join(dataDir, 'first-administrator-link')
  onTestFinished(() => rm(dataDir, { recursive: true }))
})

it.each([
  [true, 'a terminal'],
  [false, 'a log'],
])(
  'the link of the first administrator is in a file for the own user; printed to a terminal alone (%s: %s)',
  async (isTerminal) => {
    const text = await writeFirstAdministratorLink(config(), ADMINISTRATOR, isTerminal)
    expect(await readFile(path, 'utf8')).toBe(`${LINK}\n`)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(text).toContain(ADMINISTRATOR.email)
    expect([text.includes(LINK), text.includes(ADMINISTRATOR.token), text.includes(path)]).toEqual([
      isTerminal,
      isTerminal,
      !isTerminal,
    ])
  },
)

it('the file of an earlier start is replaced with its permissions, and deleted when there is no link', async () => {
  await writeFile(path, 'old', { mode: 0o644 })
  await writeFirstAdministratorLink(config(), ADMINISTRATOR, false)
  expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual([`${LINK}\n`, 0o600])
  expect(await writeFirstAdministratorLink(config(), null, true)).toBe('')
  expect(await readdir(dataDir)).toEqual([])
})
