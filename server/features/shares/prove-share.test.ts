import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeShareWorld, type ShareWorld } from '../../../test/shares/share-world.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { createContext } from '../../context.ts'
import * as password from '../accounts/credentials/password.ts'
import { decryptBody } from '../messages/message-body.ts'
import { upsertSettings } from '../site/site.db.ts'

let world: ShareWorld

beforeAll(async () => {
  world = await makeShareWorld(await createTestServer({ trustProxy: true }, afterAll))
})

const RIGHT = '23.04.1961'
const shareOf = (id: string) =>
  world.server.db.selectFrom('share').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const unlock = (id: string) =>
  world.server.db
    .updateTable('share')
    .set({ locked_until: new Date(Date.now() - 1) })
    .where('id', '=', id)
    .execute()
const countChecked = async (id: string) =>
  (
    await world.server.db
      .selectFrom('share_event')
      .select('id')
      .where('share_id', '=', id)
      .where('kind', '=', 'wrong_proof')
      .execute()
  ).length
const mailsAbout = (kind: string, id: string) =>
  world.server.db
    .selectFrom('message')
    .selectAll()
    .where('kind', '=', kind)
    .where('about_id', '=', id)
    .orderBy('created_at')
    .execute()
const textOf = (body: Buffer | null) =>
  decryptBody(createContext(world.server.services, { kind: 'system', name: '' }, ORIGIN), body!)!
const ORIGIN = { id: '', ip: null, userAgent: null, origin: 'web' } as const

describe('the proof of a share', () => {
  it('locks after five wrong ones for 15 minutes, also for the right one, and ends after ten, with a mail to its maker', async () => {
    const { token, id } = await world.create()
    const answers = []
    for (let count = 0; count < 5; count += 1) answers.push(await world.browser().prove(token, '01.01.1950'))
    expect(answers).toEqual([
      { outcome: 'wrong', triesLeft: 4 },
      { outcome: 'wrong', triesLeft: 3 },
      { outcome: 'wrong', triesLeft: 2 },
      { outcome: 'wrong', triesLeft: 1 },
      { outcome: 'closed', triesLeft: null },
    ])
    const until = (await shareOf(id)).locked_until!.getTime()
    expect(Math.abs(until - Date.now() - 15 * 60_000)).toBeLessThan(30_000)
    expect(await world.browser().prove(token, RIGHT)).toEqual({ outcome: 'closed', triesLeft: null })
    expect(await shareOf(id)).toMatchObject({ wrong_proofs: 5, openings: 0 })

    await unlock(id)
    expect((await world.browser().prove(token, RIGHT)).outcome).toBe('proved')
    expect(await shareOf(id)).toMatchObject({ wrong_proofs: 5, openings: 1 })
    for (let count = 0; count < 5; count += 1) await world.browser().prove(token, '01.01.1950')
    expect(await shareOf(id)).toMatchObject({ wrong_proofs: 10, ended_why: 'proofs', ended_by: null })
    expect((await world.browser().prove(token, RIGHT)).outcome).toBe('closed')
    const [mail, ...others] = await mailsAbout('share-ended', world.maker.id)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ recipient: world.maker.email })
    expect(textOf(mail!.body).text).not.toContain(world.patient.surname)
    const audited = await world.server.db
      .selectFrom('audit_event')
      .select(['action', 'actor_id', 'role', 'outcome', 'patient_id'])
      .where('subject_id', '=', id)
      .where('action', 'in', ['share.prove-failed', 'share.end'])
      .execute()
    expect(audited.filter(({ action }) => action === 'share.prove-failed')).toHaveLength(10)
    expect(
      audited.every(({ actor_id, patient_id }) => actor_id === null && patient_id === world.patient.id),
    ).toBe(true)
  })

  it('is counted, in a committed statement, before its proof is checked', async () => {
    const { token, id } = await world.create({ proof: 'pin' })
    const checking = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<number>()
    const db = world.server.db
    const spy = vi.spyOn(password, 'verifyPassword').mockImplementation(async () => {
      // Read on another connection: only what was committed is there.
      const { wrong_proofs } = await db
        .selectFrom('share')
        .select('wrong_proofs')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      begun.resolve(wrong_proofs)
      await checking.promise
      return true
    })
    const answer = world.browser().prove(token, '000000')
    const counted = await begun.promise
    checking.resolve()
    expect([counted, (await answer).outcome]).toEqual([1, 'proved'])
    spy.mockRestore()
    expect(await shareOf(id)).toMatchObject({ wrong_proofs: 0, openings: 1 })
  })

  it('ends a share also if the server is killed while it checks the tenth, with one mail to its maker', async () => {
    const { token, id } = await world.create()
    // Only the count was committed.
    await world.server.db.updateTable('share').set({ wrong_proofs: 10 }).where('id', '=', id).execute()
    expect((await world.browser().prove(token, RIGHT)).outcome).toBe('closed')
    const before = (await mailsAbout('share-ended', world.maker.id)).length
    for (let hour = 0; hour < 2; hour += 1) {
      await world.server.services.jobs.enqueue(world.server.db, 'end-expired-shares', {})
      await world.server.runJobs()
    }
    expect(await shareOf(id)).toMatchObject({ ended_why: 'proofs', ended_by: null })
    expect(await mailsAbout('share-ended', world.maker.id)).toHaveLength(before + 1)
  })

  it('is checked at most ten times in 10,000 parallel guesses from 200 addresses', async () => {
    const { token, id, pin } = await world.create({ proof: 'pin' })
    const compared = vi.spyOn(password, 'verifyPassword')
    const browsers = Array.from({ length: 200 }, () => world.browser())
    const guesses = Array.from({ length: 10_000 }, (_, at) => String(at).padStart(6, '0'))
    const guess = async (at: number) => {
      const proof = guesses[at] === pin ? '-' : guesses[at]!
      return (await browsers[at % 200]!.prove(token, proof)).outcome
    }
    /** All addresses at once, each with 25 guesses one after the other: more would wait for the few connections of a test. */
    const guessFrom = async (burst: number, address: number) => {
      const outcomes: string[] = []
      for (let at = burst * 5_000 + address; at < (burst + 1) * 5_000; at += 200)
        outcomes.push(await guess(at))
      return outcomes
    }
    for (const burst of [0, 1]) {
      const outcomes = (
        await Promise.all(browsers.map((_browser, address) => guessFrom(burst, address)))
      ).flat()
      expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(4)
      expect(outcomes.filter((outcome) => outcome === 'closed')).toHaveLength(4_996)
      expect(await countChecked(id)).toBe(5 * (burst + 1))
      await unlock(id)
    }
    // Counts of the database and of argon2.
    expect(await shareOf(id)).toMatchObject({ wrong_proofs: 10, ended_why: 'proofs' })
    expect(compared).toHaveBeenCalledTimes(10)
    expect((await world.browser().prove(token, pin!)).outcome).toBe('closed')
    compared.mockRestore()
  })

  it('by a PIN: shown to the maker once, and never with the link', async () => {
    const { id, pin, link, token } = await world.create({
      proof: 'pin',
      channel: 'mail',
      email: 'Ana@Exemplu.ro',
    })
    expect(pin).toMatch(/^\d{6}$/)
    const [mail] = await mailsAbout('share', id)
    expect(mail).toMatchObject({ recipient: 'ana@exemplu.ro', recipient_name: null })
    const { text, html } = textOf(mail!.body)
    expect(link).toBe(`http://localhost:3000/s/${token}`)
    for (const body of [text, html]) {
      expect(body).toContain(link)
      for (const secret of [
        pin!,
        world.patient.surname,
        world.patient.given_names,
        world.patient.cnp!,
        world.upload.title,
      ])
        expect(`${mail!.subject} ${body}`).not.toContain(secret)
    }
    expect((await world.browser().prove(token, `${pin!.slice(0, 3)} ${pin!.slice(3)}`)).outcome).toBe(
      'proved',
    )
  })

  it('by mail: a code that is valid once, sent at most once a minute, to the address of the share alone', async () => {
    const { token, id } = await world.create({ proof: 'email', email: 'medic@exemplu.ro' })
    const browser = world.browser()
    expect(await browser.page(token)).toMatchObject({ proof: 'email', emailMasked: 'm•••@exemplu.ro' })
    const send = () => browser.sendCode(token)
    expect(await send()).toEqual({ sendShareCode: true })
    expect(await send()).toEqual({ sendShareCode: true })
    const [mail, ...others] = await mailsAbout('share-code', id)
    expect([mail!.recipient, others]).toEqual(['medic@exemplu.ro', []])
    const code = /\b\d{6}\b/.exec(textOf(mail!.body).text)![0]
    expect(mail!.subject).not.toContain(code)
    expect((await shareOf(id)).mail_code_hash).toMatch(/^\$argon2id\$/)
    expect((await browser.prove(token, code)).outcome).toBe('proved')
    expect((await world.browser().prove(token, code)).outcome).toBe('wrong')
    // No code for what is unknown, ended or asks another proof, with the same answer.
    await world.end(id)
    const other = await world.create()
    for (const closed of [token, 'necunoscut', other.token])
      expect(await browser.sendCode(closed)).toEqual({
        sendShareCode: true,
      })
    expect(await mailsAbout('share-code', id)).toHaveLength(1)
    expect(await mailsAbout('share-code', other.id)).toEqual([])
  })

  it('by mail: a code opens once, also for several browsers at the same moment', async () => {
    const { token, id } = await world.create({ proof: 'email', email: 'medic@exemplu.ro' })
    await world.browser().sendCode(token)
    const [mail] = await mailsAbout('share-code', id)
    const code = /\b\d{6}\b/.exec(textOf(mail!.body).text)![0]
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, async () => (await world.browser().prove(token, code)).outcome),
    )
    expect(outcomes.filter((outcome) => outcome === 'proved')).toHaveLength(1)
    expect(await shareOf(id)).toMatchObject({ openings: 1 })
  })

  it('by mail: requests for codes that are not sent cost no argon2', async () => {
    const { token, id } = await world.create({ proof: 'email', email: 'medic@exemplu.ro' })
    const hashed = vi.spyOn(password, 'hashPassword')
    for (let count = 0; count < 5; count += 1) await world.browser().sendCode(token)
    expect(hashed).toHaveBeenCalledTimes(1)
    hashed.mockRestore()
    expect(await mailsAbout('share-code', id)).toHaveLength(1)
  })

  it('by mail: a code ends after ten minutes', async () => {
    const { token, id } = await world.create({ proof: 'email', email: 'medic@exemplu.ro' })
    const browser = world.browser()
    await browser.sendCode(token)
    const [mail] = await mailsAbout('share-code', id)
    const code = /\b\d{6}\b/.exec(textOf(mail!.body).text)![0]
    await world.server.db
      .updateTable('share')
      .set({ mail_code_until: new Date(Date.now() - 1) })
      .where('id', '=', id)
      .execute()
    expect((await browser.prove(token, code)).outcome).toBe('wrong')
  })

  it('has the link of the configured site, whatever host a request names', async () => {
    await upsertSettings(world.server.db, { url: 'https://rezultate.exemplu.ro' })
    const { link } = await world.create()
    await upsertSettings(world.server.db, { url: '' })
    expect(link).toMatch(/^https:\/\/rezultate\.exemplu\.ro\/s\/[\w-]{43}$/)
  })
})
