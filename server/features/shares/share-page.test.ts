import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEATURES } from '../../../shared/access/features.ts'
import { makeShareWorld, type ShareWorld } from '../../../test/shares/share-world.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { newId } from '../../platform/ids.ts'

let world: ShareWorld

beforeAll(async () => {
  world = await makeShareWorld(await createTestServer({ trustProxy: true }, afterAll))
})

const RIGHT = '23.04.1961'
const CLOSED = {
  state: 'closed',
  proof: null,
  emailMasked: null,
  expiresAt: null,
  closedReason: null,
  lockedUntil: null,
  fileIds: [],
}
const change = (id: string, values: object) =>
  world.server.db.updateTable('share').set(values).where('id', '=', id).execute()
const shareOf = (id: string) =>
  world.server.db.selectFrom('share').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const kindsOf = async (id: string) =>
  (
    await world.server.db
      .selectFrom('share_event')
      .select('kind')
      .where('share_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind)

describe('a link with results [3.2]', () => {
  it('opens after the proof: results, preview, download and archive with the stored bytes', async () => {
    const { token, id } = await world.create()
    const browser = world.browser()
    expect(await browser.page(token)).toMatchObject({ state: 'proof', proof: 'birth_date' })
    expect(await browser.results(token)).toBeNull()
    const file = world.upload.files[0]!
    for (const path of [`files/${file.id}`, `files/${file.id}/preview`, 'zip'])
      expect((await browser.get(`/s/${token}/${path}`)).status).toBe(404)

    expect(await browser.prove(token, RIGHT)).toEqual({ outcome: 'proved', triesLeft: null })
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
    // The share of another link is not opened by the cookie of this one.
    const other = await world.create()
    expect((await browser.get(`/s/${other.token}/files/${file.id}`)).status).toBe(404)
    expect(await browser.results(other.token)).toBeNull()
  })

  it('has the news for the patient, for the patient and a designated person alone, while the site has them', async () => {
    const { db } = world.server
    const write = (text: string, visibility: 'patient' | 'institution' | 'staff', more: object = {}) =>
      db
        .insertInto('news')
        .values({
          id: newId(),
          patient_id: world.patient.id,
          kind: 'news',
          text,
          visibility,
          created_by: world.maker.id,
          created_at: new Date(),
          written_by: world.maker.id,
          written_at: new Date(),
          ...more,
        })
        .execute()
    await write('Veniți pe nemâncate.', 'patient')
    await write('Doar pentru instituții', 'institution')
    await write('Doar pentru noi', 'staff')
    await write('Ștearsă', 'patient', { removed_at: new Date(), removed_by: world.maker.id })
    const newsOf = async (over: object) => {
      const { token } = await world.create(over)
      const browser = world.browser()
      await browser.prove(token, RIGHT)
      return (await browser.results(token)).news.map(({ text }: { text: string }) => text)
    }
    const own = { recipientKind: 'patient' }
    expect(await newsOf(own)).toEqual(['Veniți pe nemâncate.'])
    expect(await newsOf({ recipientKind: 'designated', recipientName: 'Ion Pop' })).toHaveLength(1)
    expect(await newsOf({ recipientKind: 'doctor', recipientName: 'Dr. Pop' })).toEqual([])
    const kept = JSON.stringify(FEATURES.filter((feature) => feature !== 'patient::news'))
    await db.insertInto('site_setting').values({ key: 'features', value: kept }).execute()
    try {
      expect(await newsOf(own)).toEqual([])
    } finally {
      await db.deleteFrom('site_setting').where('key', '=', 'features').execute()
    }
  })

  it('is not opened, counted or recorded by programs that look at it', async () => {
    const { token, id } = await world.create({ maxOpenings: 1 })
    const file = world.upload.files[0]!
    for (const agent of [
      'WhatsApp/2.23',
      'facebookexternalhit/1.1',
      'Slackbot 1.0',
      'TelegramBot',
      'Googlebot/2.1',
    ])
      for (const method of ['GET', 'HEAD'])
        for (const path of ['', `/files/${file.id}`, `/files/${file.id}/preview`, '/zip']) {
          const response = await world
            .browser()
            .get(`/s/${token}${path}`, { method, headers: { 'user-agent': agent } })
          expect(response.headers.get('x-robots-tag')).toContain('noindex')
          expect(response.headers.get('referrer-policy')).toBe('no-referrer')
        }
    expect(await shareOf(id)).toMatchObject({ openings: 0, wrong_proofs: 0, opened_at: null })
    expect(await kindsOf(id)).toEqual([])
    const browser = world.browser()
    await browser.page(token)
    await browser.prove(token, RIGHT)
    for (const method of ['GET', 'HEAD']) await browser.get(`/s/${token}/files/${file.id}`, { method })
    expect(await shareOf(id)).toMatchObject({ openings: 1 })
    // Its only opening is used; the browser that has used it goes on.
    expect(await world.browser().page(token)).toEqual(CLOSED)
    expect(await world.browser().prove(token, RIGHT)).toEqual({ outcome: 'closed', triesLeft: null })
    expect(await browser.page(token)).toMatchObject({ state: 'open' })
  })

  it('answers alike for an unknown, expired, ended, locked and used link, byte for byte; one who proved it learns which', async () => {
    const past = new Date(Date.now() - 1_000)
    const cases: [string | null, (id: string) => Promise<unknown>][] = [
      ['expired', (id) => change(id, { expires_at: past })],
      ['ended', (id) => world.end(id)],
      ['locked', (id) => change(id, { locked_until: new Date(Date.now() + 60_000) })],
      ['unavailable', (id) => change(id, { ended_at: past, ended_why: 'uploads' })],
    ]
    const answers = new Set<string>()
    const proofs = new Set<string>()
    const files = new Set<string>()
    const collect = async (token: string) => {
      const stranger = world.browser()
      const bodyOf = async (response: Response) =>
        JSON.stringify([response.status, [...response.headers], await response.text()])
      answers.add(await bodyOf(await stranger.sendPage(token)))
      proofs.add(await bodyOf(await stranger.sendProof(token, RIGHT)))
      files.add(await bodyOf(await stranger.get(`/s/${token}/files/${world.upload.files[0]!.id}`)))
    }
    for (const [reason, close] of cases) {
      const { token, id } = await world.create()
      const known = world.browser()
      await known.prove(token, RIGHT)
      await close(id)
      await collect(token)
      expect(await known.page(token)).toMatchObject({ state: 'closed', closedReason: reason })
      expect(await known.results(token)).toBeNull()
      expect((await known.get(`/s/${token}/zip`)).status).toBe(404)
      expect((await shareOf(id)).wrong_proofs).toBe(0)
    }
    await collect('necunoscut')
    await collect('X'.repeat(43))
    await collect('ABCDEFGHJK')
    expect([answers.size, proofs.size, files.size]).toEqual([1, 1, 1])
    expect(JSON.parse(JSON.parse([...answers][0]!)[2]).data.sharePage).toEqual({
      __typename: 'ShareLink',
      ...CLOSED,
    })
  })

  it('expires to the second', async () => {
    const { token, id } = await world.create()
    await change(id, { expires_at: new Date(Date.now() + 1_500) })
    const browser = world.browser()
    expect((await browser.prove(token, RIGHT)).outcome).toBe('proved')
    expect((await browser.results(token)).uploads).toHaveLength(1)
    await expect.poll(() => browser.results(token)).toBeNull()
    expect(await browser.page(token)).toMatchObject({ state: 'closed', closedReason: 'expired' })
  })

  it('is left: the browser forgets it', async () => {
    const { token } = await world.create()
    const browser = world.browser()
    await browser.prove(token, RIGHT)
    await browser.leave(token)
    expect(browser.client.cookies.size).toBe(0)
    expect(await browser.page(token)).toMatchObject({ state: 'proof' })
    expect(await browser.results(token)).toBeNull()
  })

  it('leaves a browser the cookies of the last thirty links: more would exceed the header of a request', async () => {
    const browser = world.browser()
    const first = await world.create()
    await browser.prove(first.token, RIGHT)
    for (let count = 1; count < 30; count += 1)
      browser.client.cookies.set(`__Host-dosar.share.${newId()}`, 'x'.repeat(43))
    browser.client.cookies.set('alt', 'x')
    const next = await world.create()
    await browser.prove(next.token, RIGHT)
    expect(browser.client.cookies.size).toBe(31)
    expect(await browser.page(first.token)).toMatchObject({ state: 'proof' })
    expect(await browser.page(next.token)).toMatchObject({ state: 'open' })
    await browser.prove(next.token, RIGHT)
    expect(browser.client.cookies.size).toBe(31)
  })

  it('opens for an hour', async () => {
    const { token, id } = await world.create()
    const browser = world.browser()
    await browser.prove(token, RIGHT)
    await world.server.db
      .updateTable('share_session')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('share_id', '=', id)
      .execute()
    expect(await browser.page(token)).toMatchObject({ state: 'proof' })
    expect(await browser.results(token)).toBeNull()
    expect((await browser.get(`/s/${token}/zip`)).status).toBe(404)
  })

  it('leaves its token, its PIN and its cookie in no log line and in no column', async () => {
    const { token, pin, code, id } = await world.create({ channel: 'slip', proof: 'pin' })
    const browser = world.browser()
    await browser.prove(token, pin!)
    await browser.get(`/s/${token}/files/${world.upload.files[0]!.id}`)
    await browser.get(`/s/${token}/files/unknown`)
    await browser.get(`/s/${token}/nothing`)
    const cookie = [...browser.client.cookies.values()][0]!
    const rows = JSON.stringify([
      await shareOf(id),
      await world.server.db.selectFrom('share_session').selectAll().execute(),
      await world.server.db.selectFrom('share_event').selectAll().execute(),
      await world.server.db.selectFrom('audit_event').selectAll().execute(),
    ])
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect((await shareOf(id)).token_hash).toEqual(createHash('sha256').update(token).digest())
    expect((await shareOf(id)).pin_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    for (const secret of [token, pin!, code!, cookie]) {
      expect(world.server.logged.join('\n')).not.toContain(secret)
      if (secret !== pin) expect(rows).not.toContain(secret)
    }
    // The short code names the same share, however it is typed.
    const typed = `${code!.slice(0, 5)}-${code!.slice(5)} `.toLowerCase()
    expect(await world.browser().page(typed)).toMatchObject({ state: 'proof' })
    expect((await world.browser().prove(typed, pin!)).outcome).toBe('proved')
  })
})
