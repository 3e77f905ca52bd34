import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeShareWorld, type ShareWorld } from '../../../test/shares/share-world.ts'
import { createTestServer } from '../../../test/test-server.ts'

let world: ShareWorld

beforeAll(async () => {
  world = await makeShareWorld(await createTestServer({ trustProxy: true }, afterAll))
})

const CLOSED = {
  state: 'closed',
  proof: null,
  emailMasked: null,
  expiresAt: null,
  closedReason: null,
  lockedUntil: null,
}
const change = (id: string, values: object) =>
  world.server.db.updateTable('share').set(values).where('id', '=', id).execute()
const shareOf = (id: string) =>
  world.server.db.selectFrom('share').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a link with results [3.2]', () => {
  it('opens after the proof: results, preview, download and archive with the stored bytes', async () => {
    const { token, id } = await world.create()
    const browser = world.browser()
    expect(await browser.page(token)).toMatchObject({ state: 'proof', proof: 'birth_date' })
    expect(await browser.results(token)).toBeNull()
    const file = world.upload.files[0]!
    for (const path of [`files/${file.id}`, `files/${file.id}/preview`, 'zip'])
      expect((await browser.get(`/s/${token}/${path}`)).status).toBe(404)

    expect(await browser.prove(token, '23.04.1961')).toEqual({ outcome: 'proved', triesLeft: null })
    expect(browser.client.setCookies).toEqual([
      expect.stringMatching(
        new RegExp(
          `^__Host-dosar\\.share\\.${id}=[\\w-]{43}; Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Strict$`,
        ),
      ),
    ])
    expect(await browser.page(token)).toMatchObject({ state: 'open' })
    const results = await browser.results(token)
    expect(results.uploads).toMatchObject([
      { id: world.upload.id, title: world.upload.title, files: [{ id: file.id, hasPreview: true }] },
    ])
    const download = await browser.get(`/s/${token}/files/${file.id}`)
    expect(download.status).toBe(200)
    expect(download.headers.get('x-robots-tag')).toContain('noindex')
    expect(download.headers.get('referrer-policy')).toBe('no-referrer')
    expect(download.headers.get('cache-control')).toBe('private, no-store')
    const bytes = Buffer.from(await download.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest()).toEqual(file.sha256)
    expect((await browser.get(`/s/${token}/files/${file.id}/preview`)).status).toBe(200)
    const zip = await browser.get(`/s/${token}/zip`)
    expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect((await browser.results(token)).events.map(({ kind }: { kind: string }) => kind)).toEqual([
      'downloaded_all',
      'previewed',
      'downloaded',
      'opened',
    ])
    // Another browser has no part of it.
    expect(await world.browser().results(token)).toBeNull()
    expect((await world.browser().get(`/s/${token}/files/${file.id}`)).status).toBe(404)
  })
})
