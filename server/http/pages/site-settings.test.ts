import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { siteSettings } from '../../../shared/site/site-settings.ts'
import { createTestClient } from '../../../test/client.ts'
import { createTestServer, type TestClient, type TestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { upsertSettings } from '../../features/site/site.db.ts'

let server: TestServer
let admin: TestClient
let other: TestClient
beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  // The one setting that test servers change.
  await server.db.deleteFrom('site_setting').execute()
  await createUser(server.db, { email: 'admin@clinica.test', role: 'admin', name: 'Ana Pop' })
  await createUser(server.db, { email: 'alt@clinica.test', role: 'admin', name: 'Vlad Rus' })
  admin = await server.signIn('admin@clinica.test')
  other = await server.signIn('alt@clinica.test')
})

const READ = '{ siteSettings { version values savedBy hasProvider } }'
const SAVE = `mutation ($version: Int!, $changes: JSON!) {
  saveSettings(version: $version, changes: $changes) { version values savedBy }
}`
const read = async () => (await admin.graphql(READ)).data.siteSettings
const save = async (changes: unknown, who = admin) =>
  who.graphql(SAVE, { version: (await read()).version, changes })
const values = async () => (await read()).values
const userError = async (changes: unknown) => {
  const before = await read()
  const { errors } = await save(changes)
  expect(await read()).toEqual(before)
  return errors[0]?.extensions.fields
}

describe('settings', () => {
  it('are those of the specification, each with its default [1.5]', async () => {
    expect(await values()).toEqual(siteSettings.parse({}))
  })

  it('change only the settings that are named [1.5]', async () => {
    const before = await values()
    const { data, errors } = await save({ name: '  Clinica   Şcolii ', share_days: 5 })
    expect(errors).toEqual([])
    expect(data.saveSettings).toMatchObject({ savedBy: 'Ana Pop' })
    expect(await values()).toEqual({ ...before, name: 'Clinica Școlii', share_days: 5 })
    const event = await server.db
      .selectFrom('audit_event')
      .where('action', '=', 'site.save')
      .select(['changes', 'actor_name'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(event).toEqual({
      actor_name: 'Ana Pop',
      changes: { name: { from: 'Dosar', to: 'Clinica Școlii' }, share_days: { from: 7, to: 5 } },
    })
  })

  it.each([
    ['url', 'https://Rezultate.Exemplu.test/', 'https://rezultate.exemplu.test'],
    ['email', ' Receptie@Exemplu.test ', 'receptie@exemplu.test'],
    ['phone', '0264 555 010', '+40264555010'],
    ['title', 'Rezultate', 'Rezultate'],
    ['address', 'Str. Exemplului 7', 'Str. Exemplului 7'],
    ['branding', false, false],
    ['features', ['profile::institution', 'patient::files'], ['patient::files', 'profile::institution']],
    ['from_name', 'Clinica', 'Clinica'],
    ['from_email', 'rezultate@exemplu.test', 'rezultate@exemplu.test'],
    ['color_scheme', 'teal', 'teal'],
    ['second_factor_required', ['institution'], ['institution']],
    ['self_review', true, true],
    ['undo_seconds', 30, 30],
    ['session_refresh_visible', false, false],
    ['session_refresh_ms', true, 1000],
    ['session_refresh_ms', 1500, 1500],
    ['session_refresh_ms', null, null],
    ['logo_navigation_width', 200, 200],
    ['search_lite_client', false, false],
    ['search_recommendations', true, true],
    ['search_response_cache', false, false],
    ['delivery_default', 'daily', 'daily'],
    ['reminder_days', 0, 0],
    ['share_days_max', 60, 60],
    ['share_proofs', ['pin'], ['pin']],
    ['retention_years', 10, 10],
    ['retention_years', null, null],
    ['upload_file_mib', 100, 100],
    ['upload_files', 5, 5],
    ['upload_unfinished_hours', 48, 48],
    ['upload_unfinished_per_user', 10, 10],
    ['upload_active_content', 'refuse', 'refuse'],
  ])('stores %s, sent as %j, as %j [1.5]', async (name, sent, kept) => {
    expect((await save({ [name]: sent })).errors).toEqual([])
    expect((await values())[name]).toEqual(kept)
    const stored = await server.db
      .selectFrom('site_setting')
      .where('key', '=', name)
      .select('value')
      .execute()
    expect(stored).toEqual([{ value: kept }])
  })

  it('accept a search service only together with its key [1.7]', async () => {
    expect(await userError({ search_application_id: 'ABC123' })).toEqual([
      {
        field: 'search_public_key',
        message: 'Cheia publică este necesară lângă identificatorul aplicației.',
      },
    ])
    expect((await save({ search_application_id: 'ABC123', search_public_key: 'cheie' })).errors).toEqual([])
    expect((await save({ search_application_id: '', search_public_key: '' })).errors).toEqual([])
  })

  it.each([
    ['url', 'https://exemplu.test/cale'],
    ['url', 'javascript:alert(1)'],
    ['url', 'https://cineva:parola@exemplu.test'],
    ['url', 7],
    ['url', 'https://*'],
    ['url', 'https://exemplu.test;sandbox'],
    ['url', `https://${Array(5).fill('ășțîâ'.repeat(6)).join('.')}.ro`],
    ['name', ' '],
    ['name', 'x'.repeat(201)],
    ['title', ''],
    ['email', 'nu e'],
    ['phone', '12'],
    ['locales', ['en']],
    ['branding', 'da'],
    ['features', ['patient::files', 'altceva']],
    ['features', 'patient::files'],
    ['from_name', ''],
    ['from_email', 'a@b'],
    ['url_backend', 'https://date.exemplu.test/?x=1'],
    ['url_backend', 'https://date.exemplu.test/api'],
    ['url_backend', 'https://date.exemplu.test'],
    ['url_backend', 'https://x;sandbox'],
    ['url_backend', 'https://*'],
    ['url_backend', ','],
    ['color_scheme', 'maro'],
    ['login_provider', 'oidc'],
    ['login_provider', 'google'],
    ['second_factor_required', ['nimeni']],
    ['self_review', 'da'],
    ['undo_seconds', 61],
    ['undo_seconds', -1],
    ['second_factor_required', ['admin']],
    ['logo', '/site-images/nu-exista'],
    ['logo', 'https://rau.test/x.png'],
    ['favicon', '/favicon.svg'],
    ['session_refresh_ms', 999],
    ['session_refresh_ms', false],
    ['logo_navigation_width', 15],
    ['logo_navigation_width', 1.5],
    ['search_application_id', 'x; script-src *'],
    ['delivery_default', 'saptamanal'],
    ['share_days', 0],
    ['share_days', 61],
    ['share_days_max', 4],
    ['share_proofs', []],
    ['share_proofs', ['cnp']],
    ['retention_years', 0],
    ['upload_file_mib', 2049],
    ['upload_files', '5'],
    ['upload_active_content', 'accept'],
    ['upload_unfinished_hours', null],
    ['demo', true],
    ['constructor', 1],
    ['__proto__', { branding: false }],
  ])('reject %s: %j, with an error of that field', async (name, value) => {
    const changes = JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`)
    expect(await userError(changes)).toEqual([
      { field: name, message: expect.stringMatching(/^[A-ZÎȘȚ].{10,}[.o]$/) },
    ])
  })

  it('reject the whole save when one setting is invalid', async () => {
    const fields = await userError({ name: 'Altul', title: '', upload_files: 0 })
    expect(fields?.map(({ field }) => field)).toEqual(['title', 'upload_files'])
    for (const changes of [null, [], 'name', 7]) expect((await save(changes)).errors).toHaveLength(1)
  })

  it('of two simultaneous saves, the second gets a conflict that names the first user, and nothing is lost', async () => {
    const { version } = await read()
    const responses = await Promise.all([
      admin.graphql(SAVE, { version, changes: { email: 'unu@exemplu.test' } }),
      other.graphql(SAVE, { version, changes: { phone: '0264555011' } }),
    ])
    const rejected = responses.filter(({ errors }) => errors.length > 0)
    expect(rejected).toHaveLength(1)
    const { savedBy, version: after } = await read()
    expect(after).toBe(version + 1)
    expect(rejected[0]?.errors[0]).toMatchObject({
      message: expect.stringContaining(`${savedBy} a salvat setările`),
      extensions: { code: 'CONFLICT' },
    })
  })

  it('are read and saved by administrators alone', async () => {
    for (const [email, role] of [
      ['personal@clinica.test', 'staff'],
      ['institutie@clinica.test', 'institution'],
    ] as const) {
      await createUser(server.db, { email, role })
      const client = await server.signIn(email)
      expect((await client.graphql(READ)).errors[0]?.extensions.code).toBe('FORBIDDEN')
      const { errors } = await client.graphql(SAVE, { version: 1, changes: { name: 'Al meu' } })
      expect(errors[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })

  it('accept a provider only when the server has one', async () => {
    const oidc = { issuer: 'https://intrare.test', clientId: 'a', clientSecret: 'b', name: 'Intrare' }
    const clinic = await createTestServer({ oidc })
    await createUser(clinic.db, { email: 'admin@clinica.test', role: 'admin' })
    const client = await clinic.signIn('admin@clinica.test')
    expect((await client.graphql(READ)).data.siteSettings.hasProvider).toBe(true)
    const changes = { login_provider: 'oidc' }
    expect((await client.graphql(SAVE, { version: 1, changes })).errors).toEqual([])
  })

  it.each(['email', 'from_email'])('accept a %s of the maximal length of an address [1.5]', async (name) => {
    const domain = ['b', 'c', 'd'].map((letter) => letter.repeat(61)).join('.')
    const longest = `${'a'.repeat(64)}@${domain}.ro`
    expect(longest).toHaveLength(253)
    expect((await save({ [name]: longest })).errors).toEqual([])
    expect((await values())[name]).toBe(longest)
    expect((await server.app.request('/api/site')).status).toBe(200)
    await save({ [name]: '' })
  })

  it('use their defaults for invalid stored values, so that no stored value stops the server', async () => {
    const clinic = await createTestServer()
    await createUser(clinic.db, { email: 'admin@clinica.test', role: 'admin' })
    await upsertSettings(clinic.db, {
      name: 'Clinica',
      email: 'x'.repeat(300),
      url: ['https://x'],
      upload_files: -1,
      features: 7,
      login_provider: null,
      second_factor_required: { admin: true },
      undo_seconds: 'zece',
    })
    const visitor = createTestClient(clinic)
    expect((await visitor.signIn('admin@clinica.test')).url.search).toBe('')
    const client = await clinic.signIn('admin@clinica.test')
    const { data } = await client.graphql(READ)
    expect(data.siteSettings.values).toEqual(siteSettings.parse({ name: 'Clinica' }))
    expect((await clinic.app.request('/api/site')).status).toBe(200)
    expect((await client.graphql(SAVE, { version: 1, changes: { email: 'a@b.ro' } })).errors).toEqual([])
  })

  it('reject addresses with plain HTTP when the server uses TLS', async () => {
    const clinic = await createTestServer({ url: 'https://dosar.test' })
    await createUser(clinic.db, { email: 'admin@clinica.test', role: 'admin' })
    const client = await clinic.signIn('admin@clinica.test')
    const set = (url: string) => client.graphql(SAVE, { version: 1, changes: { url } })
    expect((await set('http://rezultate.test')).errors[0]?.extensions.fields).toEqual([
      { field: 'url', message: 'Scrie adresa cu https://, ca în configurația serverului.' },
    ])
    expect((await set('https://rezultate.test')).errors).toEqual([])
  })

  it('switching to a provider ends sessions that began with a password, except those of administrators', async () => {
    const oidc = { issuer: 'https://intrare.test', clientId: 'a', clientSecret: 'b', name: 'Intrare' }
    const clinic = await createTestServer({ oidc })
    await createUser(clinic.db, { email: 'admin@clinica.test', role: 'admin' })
    const staff = await createUser(clinic.db, { email: 'personal@clinica.test' })
    await createUser(clinic.db, { email: 'prin@clinica.test' })
    const [chief, byPassword, byProvider] = [
      await clinic.signIn('admin@clinica.test'),
      await clinic.signIn('personal@clinica.test'),
      await clinic.signIn('prin@clinica.test'),
    ]
    await clinic.db
      .updateTable('session')
      .set({ provider: 'oidc' })
      .where('user_id', 'in', (eb) =>
        eb.selectFrom('app_user').where('email', '=', 'prin@clinica.test').select('id'),
      )
      .execute()
    const changes = { login_provider: 'oidc' }
    expect((await chief.graphql(SAVE, { version: 1, changes })).errors).toEqual([])
    expect((await byPassword.graphql('{ me { id } }')).status).toBe(401)
    expect((await byProvider.graphql('{ me { id } }')).errors).toEqual([])
    expect((await chief.graphql('{ me { id } }')).errors).toEqual([])
    const ended = await clinic.db
      .selectFrom('audit_event')
      .where('action', '=', 'session.end')
      .select('subject_id')
      .execute()
    expect(ended).toEqual([{ subject_id: staff.id }])
  })

  it('requiring a second factor of a role ends the sessions of its users who have none', async () => {
    await save({ second_factor_required: [] })
    await createUser(server.db, { email: 'fara@clinica.test', role: 'staff' })
    await createUser(server.db, { email: 'cu@clinica.test', role: 'staff' })
    await server.db
      .updateTable('app_user')
      .set({ totp_secret: Buffer.from('secret') })
      .where('email', '=', 'cu@clinica.test')
      .execute()
    const without = await server.signIn('fara@clinica.test')
    const withFactor = await server.signIn('cu@clinica.test')
    expect((await save({ second_factor_required: ['staff'] })).errors).toEqual([])
    expect((await without.graphql('{ me { id } }')).status).toBe(401)
    expect((await withFactor.graphql('{ me { id } }')).errors).toEqual([])
    expect((await admin.graphql('{ me { id } }')).errors).toEqual([])
  })
})

describe('the host of GraphQL [1.5]', () => {
  async function listen(handle: RequestListener): Promise<string> {
    const host = createServer(handle).listen(0, 'localhost')
    onTestFinished(() => {
      host.closeAllConnections()
      host.close()
    })
    await once(host, 'listening')
    return `http://localhost:${(host.address() as AddressInfo).port}`
  }
  async function openClinic(backendHosts: string[]) {
    const clinic = await createTestServer({ backendHosts })
    await createUser(clinic.db, { email: 'admin@clinica.test', role: 'admin' })
    const client = await clinic.signIn('admin@clinica.test')
    const set = async (url_backend: string) =>
      (await client.graphql(SAVE, { version: 1, changes: { url_backend } })).errors[0]?.extensions.fields
    const readBackend = async () => (await (await clinic.app.request('/api/site')).json()).url_backend
    return { ...clinic, set, readBackend }
  }
  const json =
    (status: number, body: unknown): RequestListener =>
    (_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  it.each([
    ['responds', json(200, { data: { __typename: 'Query' } })],
    [
      'rejects an external client',
      json(401, { errors: [{ message: 'Nu', extensions: { code: 'UNAUTHENTICATED' } }] }),
    ],
  ])('accepts a permitted host that %s', async (_what, handle) => {
    const requested: unknown[] = []
    const origin = await listen((request, response) => {
      requested.push([request.method, request.url, request.headers.authorization, request.headers.cookie])
      handle(request, response)
    })
    const clinic = await openClinic([origin])
    expect(await clinic.set(`${origin}/`)).toBeUndefined()
    expect(await clinic.readBackend()).toBe(origin)
    expect(requested).toEqual([['POST', '/graphql', undefined, undefined]])
  })

  it('is not contacted when the configuration does not permit it', async () => {
    let requested = 0
    const origin = await listen(() => {
      requested += 1
    })
    const clinic = await openClinic(['https://date.test'])
    const message = 'Configurația serverului (BACKEND_HOSTS) nu permite această adresă.'
    expect(await clinic.set(origin)).toEqual([{ field: 'url_backend', message }])
    expect(requested).toBe(0)
  })

  it.each<[string, RequestListener]>([
    ['is a page', (_request, response) => response.end('<!doctype html>')],
    ['has other JSON', json(200, { ok: true })],
    ['redirects', (_request, response) => response.writeHead(307, { location: '/altundeva' }).end()],
    ['closes the connection', (request) => request.socket.destroy()],
    ['does not respond', () => undefined],
  ])('rejects a host that %s', async (_what, handle) => {
    const elsewhere = json(200, { data: { __typename: 'Query' } })
    const origin = await listen((request, response) =>
      request.url === '/altundeva' ? elsewhere(request, response) : handle(request, response),
    )
    const clinic = await openClinic([origin])
    const message = `La adresa ${origin}/graphql nu răspunde niciun serviciu GraphQL.`
    expect(await clinic.set(origin)).toEqual([{ field: 'url_backend', message }])
    expect(await clinic.readBackend()).toBe('')
  })

  it('is ignored when it is stored but no longer permitted', async () => {
    const clinic = await openClinic(['https://date.test'])
    await upsertSettings(clinic.db, { url_backend: 'https://date.test' })
    expect(await clinic.readBackend()).toBe('https://date.test')
    for (const url_backend of ['https://rau.test', 'https://*', 'https://date.test/x']) {
      await upsertSettings(clinic.db, { url_backend })
      expect(await clinic.readBackend()).toBe('')
    }
    expect(await clinic.set('')).toBeUndefined()
  })
})

describe('the settings that a page refreshes', () => {
  it('are those of the page, sent again only when they have changed [2.17]', async () => {
    await save({ title: 'Titlu nou' })
    const first = await server.app.request('/api/site')
    expect(await first.json()).toMatchObject({ title: 'Titlu nou' })
    const etag = first.headers.get('etag')!
    const request = () => server.app.request('/api/site', { headers: { 'if-none-match': etag } })
    expect((await request()).status).toBe(304)
    await save({ title: 'Alt titlu' })
    const again = await request()
    expect([again.status, (await again.json()).title]).toEqual([200, 'Alt titlu'])
    expect(again.headers.get('cache-control')).toBe('no-cache')
  })
})

describe('pictures of the organisation [1.5]', () => {
  const draw = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 4, background: '#0a7' } })
  const send = async (body: BodyInit, kind = 'logo', who: TestClient | null = admin) => {
    const authorization = who && (await who.authorization('files'))
    return server.app.request(`/api/site-images/${kind}`, {
      method: 'POST',
      body,
      headers: authorization ? { authorization } : {},
    })
  }
  const bytesOf = async (picture: Sharp) => new Uint8Array(await picture.toBuffer())
  const fetchPicture = async (address: string) => {
    const response = await server.app.request(address)
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  it.each([
    ['logo', 'png', [1600, 400], ['webp', 800, 200]],
    ['logo', 'jpeg', [300, 900], ['webp', 133, 400]],
    ['logo_navigation', 'webp', [100, 50], ['webp', 100, 50]],
    ['favicon', 'png', [64, 32], ['png', 180, 180]],
  ] as const)('%s from %s of %j is redrawn as %j', async (kind, format, [width, height], drawn) => {
    const picture = draw(width, height)
      .withExif({ IFD0: { Copyright: 'Ascuns' } })
      .toFormat(format)
    const uploaded = await send(await bytesOf(picture), kind)
    expect(uploaded.status).toBe(201)
    const { address } = await uploaded.json()
    expect((await values())[kind]).not.toBe(address)
    const entry = await server.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name', 'changes'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const changes = { [kind]: { to: address } }
    expect(entry).toEqual({ action: 'site.picture', actor_name: 'Ana Pop', changes })
    expect((await save({ [kind]: address })).errors).toEqual([])
    const { response, bytes } = await fetchPicture(address)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    const metadata = await sharp(bytes).metadata()
    expect([metadata.format, metadata.width, metadata.height, metadata.exif]).toEqual([...drawn, undefined])
    expect(response.headers.get('content-type')).toBe(`image/${drawn[0]}`)
    expect(bytes.includes('Ascuns')).toBe(false)
  })

  it('are deleted when they are replaced or removed', async () => {
    const before = (await values()).logo
    const { address } = await (await send(await bytesOf(draw(20, 10).png()))).json()
    await save({ logo: address })
    expect((await server.app.request(before)).status).toBe(404)
    expect((await server.app.request(address)).status).toBe(200)
    await save({ logo: '' })
    expect((await server.app.request(address)).status).toBe(404)
    expect(await userError({ logo: address })).toEqual([{ field: 'logo', message: expect.any(String) }])
  })

  it.each(['%00', 'x%00y', '%ff', "'", 'a'.repeat(5000)])('do not exist at %s', async (key) => {
    expect((await server.app.request(`/site-images/${key}`)).status).toBe(404)
  })

  it('are served only as the kind for which they were sent', async () => {
    const { address } = await (await send(await bytesOf(draw(20, 10).png()), 'favicon')).json()
    expect(await userError({ logo: address })).toEqual([{ field: 'logo', message: expect.any(String) }])
  })

  it('are deleted after a day when they were not saved, but not when they are in use', async () => {
    const favicon = (await values()).favicon
    const { address } = await (await send(await bytesOf(draw(20, 10).png()))).json()
    const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
    await server.db.updateTable('site_image').set({ created_at: old }).execute()
    await send(await bytesOf(draw(20, 10).png()))
    expect((await server.app.request(address)).status).toBe(404)
    expect((await server.app.request(favicon)).status).toBe(200)
  })

  it('reject a vector drawing, a page, a decompression bomb, a broken image and a file that is too large', async () => {
    const png = await bytesOf(draw(20, 10).png())
    const bomb = Buffer.from(png)
    bomb.writeUInt32BE(100_000, 16)
    bomb.writeUInt32BE(100_000, 20)
    // Length and checksum are valid: only the number of pixels is wrong.
    const { crc32 } = await import('node:zlib')
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
    const cases: [string, BodyInit, number, RegExp][] = [
      ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 400, /PNG, JPEG sau WebP/],
      [
        'SVG after a declaration',
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
        400,
        /SVG/,
      ],
      ['HTML', '<!doctype html><script>1</script>', 400, /PNG, JPEG sau WebP/],
      ['GIF', new Uint8Array(await draw(2, 2).gif().toBuffer()), 400, /PNG, JPEG sau WebP/],
      ['nothing', '', 400, /PNG, JPEG sau WebP/],
      ['a pixel bomb', new Uint8Array(bomb), 400, /prea mare în pixeli/],
      ['half a picture', png.slice(0, 60), 400, /deteriorată/],
      ['more than 5 MiB', new Uint8Array(5 * 1024 * 1024 + 1), 413, /cel mult 5 MB/],
    ]
    for (const [what, body, status, sentence] of cases) {
      const response = await send(body)
      expect([what, response.status, (await response.json()).message]).toEqual([
        what,
        status,
        expect.stringMatching(sentence),
      ])
    }
  })

  it('are accepted from administrators alone, and only of known kinds', async () => {
    const png = await bytesOf(draw(20, 10).png())
    await createUser(server.db, { email: 'birou@clinica.test', role: 'institution' })
    expect((await send(png, 'logo', null)).status).toBe(401)
    expect((await send(png, 'logo', await server.signIn('birou@clinica.test'))).status).toBe(403)
    expect((await send(png, 'altceva')).status).toBe(404)
    // A request with the cookie alone.
    const response = await admin.fetch('/api/site-images/logo', { method: 'POST', body: png })
    expect(response.status).toBe(401)
  })
})
