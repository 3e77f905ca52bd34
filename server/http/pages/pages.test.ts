import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compressFiles } from '../../../scripts/compress-files.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { createUser } from '../../../test/users.ts'
import { createApp } from '../../app.ts'
import type { Config } from '../../config.ts'
import { DEMO_PASSWORD } from '../../features/site/find-public-site.ts'
import { ownApiKey } from '../../features/site/own-api-key.ts'
import { upsertSettings } from '../../features/site/site.db.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { handleError } from '../middleware/error-handler.ts'
import type { Env } from '../types.ts'
import { openBuiltFrontEnd } from './front-end.ts'
import { createPageRenderer, pageRoutes } from './pages.ts'
import { SCREEN_MODULES } from './screen-modules.ts'

const INDEX = `<!doctype html>
<html lang="ro" dir="ltr" data-accent="lime">
  <head><meta charset="utf-8" /><title>Dosar</title><script type="module" src="/assets/main-abc123.js"></script></head>
  <body><div id="root"></div></body>
</html>`
const PATIENT = 'web/routes/pages/patient-page.tsx'
/** A manifest as Vite writes it: each module of a screen in its own script, and shared code in another. */
const MANIFEST = {
  'index.html': { file: 'assets/main-abc123.js' },
  '_shared.js': { file: 'assets/shared-abc123.js', imports: ['index.html'] },
  ...Object.fromEntries(
    Object.values(SCREEN_MODULES)
      .flat()
      .map((module) => [module, { file: 'assets/main-abc123.js' }]),
  ),
  [PATIENT]: { file: 'assets/patient-abc123.js', imports: ['_shared.js', 'index.html'] },
}
const SCRIPT = `export const words = ${JSON.stringify('analize '.repeat(500))}`

/** The pages of a small built front end, on a real database. */
async function createPages(over: Partial<Config> = {}) {
  const server = await createTestServer(over)
  const folder = await mkdtemp(join(tmpdir(), 'dosar-dist-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await mkdir(join(folder, 'dist/.vite'))
  await writeFile(join(folder, 'secret.txt'), 'beside the front end')
  for (const [name, text] of Object.entries({
    'index.html': INDEX,
    '.sources': 'of the build',
    '.vite/manifest.json': JSON.stringify(MANIFEST),
    'boot.js': 'document.title',
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/main-abc123.js': SCRIPT,
    'assets/main-abc123.js.map': '{}',
    'assets/font-abc123.woff2': 'wOF2',
  })) {
    await writeFile(join(folder, 'dist', name), text)
  }
  await compressFiles(join(folder, 'dist'))
  const app = new Hono<Env>()
  app.onError(handleError(server.services))
  const frontEnd = openBuiltFrontEnd(join(folder, 'dist'))
  app.route('/', pageRoutes(frontEnd, createPageRenderer(server.services, frontEnd)))
  const readSite = async () => {
    const html = await (await app.request('/')).text()
    return JSON.parse(/<script type="application\/json" id="site">(.*?)<\/script>/s.exec(html)![1]!)
  }
  return { ...server, pages: app, readSite, folder: join(folder, 'dist') }
}

describe('screens', () => {
  it('are 404 at unknown addresses: the page for a person, the JSON error for a program [2.15]', async () => {
    const { pages } = await createPages()
    const page = await pages.request('/altceva', { headers: { accept: 'text/html,*/*' } })
    expect(page.status).toBe(404)
    expect(await page.text()).toContain('<html')
    const bare = await pages.request('/altceva', { headers: { accept: '*/*' } })
    expect(bare.status).toBe(404)
    expect(bare.headers.get('content-type')).toContain('application/json')
  })

  it('are Romanian at the root and below, without a redirect by the browser’s language [1.1]', async () => {
    const { pages } = await createPages()
    for (const path of [
      '/',
      '/patients',
      '/uploads/0198c0de-0000-7000-8000-000000000000',
      '/cont/abc_-',
      '/cont/abc',
    ]) {
      const response = await pages.request(path, { headers: { 'accept-language': 'en-GB,en;q=0.9' } })
      expect([path, response.status]).toEqual([path, 200])
      expect(await response.text()).toMatch(/<html[^>]* lang="ro" dir="ltr"/)
      expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('have no trailing slash, and removing it never redirects to another site [1.1]', async () => {
    const { pages } = await createPages()
    const cases = {
      '/patients/': '/patients',
      '/patients///?q=ion': '/patients?q=ion',
      '//evil.example/': '/evil.example',
      '///evil.example/%2e%2e/': '/',
      '/%2f%2fevil.example/': '/%2f%2fevil.example',
      '//': '/',
    }
    for (const [path, target] of Object.entries(cases)) {
      const response = await pages.request(`http://localhost:3000${path}`)
      expect([path, response.status, response.headers.get('location')]).toEqual([path, 308, target])
    }
  })

  it('take title, social title and description from one setting [2.17]', async () => {
    const { pages, db, readSite } = await createPages()
    const title = 'Clinica „Sănătatea” <b>&"</b>'
    await upsertSettings(db, {
      title,
      color_scheme: 'teal',
      name: '</script><script>alert(1)</script> $& $1',
    })
    const html = await (await pages.request('/patients')).text()
    const escaped = 'Clinica „Sănătatea” &lt;b&gt;&amp;&quot;&lt;/b&gt;'
    expect(html.match(/<title>.*?<\/title>/g)).toEqual([`<title>${escaped}</title>`])
    expect(html).toContain(`<meta property="og:title" content="${escaped}">`)
    expect(html).toContain(`<meta name="description" content="${escaped}">`)
    expect(html.match(/data-accent="[^"]*"/g)).toEqual(['data-accent="teal"'])
    expect(html.match(/<\/script>/g)).toHaveLength(2)
    expect((await readSite()).name).toBe('</script><script>alert(1)</script> $& $1')
  })

  it('preload the scripts of the requested screen', async () => {
    const { pages } = await createPages()
    const preloads = async (path: string) => {
      const response = await pages.request(path, { headers: { accept: 'text/html' } })
      return (await response.text()).match(/<link rel="modulepreload"[^>]*>/g)
    }
    const scripts = await preloads('/patients/0198c0de')
    expect(scripts).toContain('<link rel="modulepreload" crossorigin href="/assets/patient-abc123.js">')
    expect(scripts).toContain('<link rel="modulepreload" crossorigin href="/assets/shared-abc123.js">')
    expect(await preloads('/')).toBeNull()
    expect(await preloads('/altceva')).toBeNull()
  })

  it('ask early for the session and the first questions, only where the browser has a session', async () => {
    const { pages, folder, services, db } = await createPages({
      backendHosts: ['https://date.clinica.test'],
    })
    const text = (name: string) => `query ${name} {\n  patients {\n    endCursor\n  }\n}`
    const names = [
      'getCategories',
      'Patients',
      'PatientPage',
      'UploadPage',
      'ReviewQueue',
      'InstitutionHome',
      'Inbox',
      'Dashboard',
    ]
    const documents = [...names, 'Turnaround', 'WorkOfPeople'].map((name) => [`hash of ${name}`, text(name)])
    await writeFile(join(folder, '.operations.json'), JSON.stringify(Object.fromEntries(documents)))
    const frontEnd = openBuiltFrontEnd(folder)
    const built = pageRoutes(frontEnd, createPageRenderer(services, frontEnd))
    const read = async (path: string, from = built, cookie = '__Host-dosar.session=x') => {
      const html = await (await from.request(path, { headers: { accept: 'text/html', cookie } })).text()
      const questions = /<script src="\/ask-early.js" data-questions="(.*?)">/.exec(html)?.[1]
      return questions && JSON.parse(questions.replaceAll('&quot;', '"'))
    }
    const namesOf = async (path: string) =>
      (await read(path)).map(({ operationName }: { operationName: string }) => operationName)
    expect(await read('/patients')).toEqual([
      expect.objectContaining({ operationName: 'getCategories', audience: 'all' }),
      {
        hash: 'hash of Patients',
        operationName: 'Patients',
        query: text('Patients'),
        variables: { search: '' },
        features: {},
        audience: 'staff',
        anyFeature: [],
      },
    ])
    expect((await read('/patients/0198c0de'))[1]).toMatchObject({
      operationName: 'PatientPage',
      variables: { id: '0198c0de' },
      features: { withFiles: 'patient::files', withNews: 'patient::news' },
    })
    expect(await namesOf('/institution')).toEqual(['getCategories', 'InstitutionHome', 'Inbox'])
    expect(await namesOf('/logs')).toEqual(['getCategories'])
    // Not an id, and what the address adds is not in the question.
    expect(await namesOf('/patients/%E0%A4%A')).toEqual(['getCategories'])
    expect(await read('/patients?q=ion')).toEqual([])
    // Without the list of documents.
    expect(await read('/patients', pages)).toEqual([])
    expect(await read('/patients', built, '')).toBeUndefined()
    for (const path of ['/', '/signout', '/s/abc', '/cont/abc', '/altceva'])
      expect([path, await read(path)]).toEqual([path, undefined])
    await upsertSettings(db, { url_backend: 'https://date.clinica.test' })
    expect(await read('/patients')).toEqual([])
  })

  it('begin with the frame of a screen behind the sign-in, only where the browser has a session', async () => {
    const { db, pages } = await createPages()
    await upsertSettings(db, { name: 'Clinica <A> & "B"' })
    const read = async (path: string, cookie = '__Host-dosar.session=x') => {
      const html = await (await pages.request(path, { headers: { accept: 'text/html', cookie } })).text()
      return /<div id="root"><\/div>(.*)<\/body>/s.exec(html)![1]!
    }
    const patients = await read('/patients')
    expect(patients).toMatch(/^<div id="starting" aria-hidden="true" inert /)
    expect(patients).toContain('>Clinica &lt;A&gt; &amp; &quot;B&quot;</span>')
    expect(patients).toContain('>Pacienți</p>')
    // A name is never shown before it is read.
    for (const path of ['/patients/0198c0de', '/uploads/0198c0de', '/institution'])
      expect((await read(path)).replace(/<[^>]*>/g, '')).toMatch(
        /^(Clinica &lt;A&gt; &amp; &quot;B&quot;)+\s*$/,
      )
    expect(await read('/patients', '')).toBe('')
    for (const path of ['/', '/signout', '/s/abc', '/cont/abc', '/altceva'])
      expect([path, (await read(path)).trim()]).toEqual([path, ''])
    await upsertSettings(db, { logo_navigation: '/site-images/abc.png', logo_navigation_width: 90 })
    expect(await read('/patients')).toContain('<img src="/site-images/abc.png" alt="" width="90"')
  })

  it('contain the public settings and no others', async () => {
    const { db, readSite } = await createPages()
    await upsertSettings(db, { from_email: 'nu-aici@clinica.test', phone: '+40210000000' })
    expect(await readSite()).toEqual({
      name: 'Dosar',
      title: 'Dosar – rezultate medicale',
      phone: '+40210000000',
      email: '',
      address: '',
      branding: true,
      url_backend: '',
      color_scheme: 'lime',
      login_provider: 'local',
      session_refresh_visible: true,
      session_refresh_ms: null,
      favicon: '',
      logo: '',
      logo_navigation: '',
      logo_navigation_width: 120,
      search_application_id: '',
      search_public_key: '',
      search_lite_client: true,
      search_recommendations: false,
      search_response_cache: true,
      delivery_default: 'at_once',
      share_days: 7,
      share_days_max: 30,
      share_proofs: ['birth_date', 'pin', 'email'],
      upload_file_mib: 2048,
      upload_files: 20,
      demoAccounts: [],
      demoPassword: null,
      realtime: true,
    })
  })

  it('set the public client’s key as a cookie that scripts may read; files do not [9.5]', async () => {
    const { pages, services } = await createPages()
    const key = ownApiKey(services.config.secret)
    const response = await pages.request('/cont/abc', { headers: { accept: 'text/html' } })
    expect(response.headers.getSetCookie()).toEqual([
      `apollo:public.token=${key}; Path=/; Max-Age=604800; Secure; SameSite=Strict`,
    ])
    expect((await pages.request('/boot.js')).headers.getSetCookie()).toEqual([])
  })

  it('allow connections to the host of GraphQL when it is another one [1.5]', async () => {
    const { pages, db } = await createPages({ backendHosts: ['https://date.clinica.test'] })
    const policy = async () => (await pages.request('/patients')).headers.get('content-security-policy')
    await upsertSettings(db, { url_backend: 'https://date.clinica.test' })
    expect(await policy()).toMatch(/connect-src [^;]*'self'[^;]* https:\/\/date\.clinica\.test(;| )/)
    for (const url_backend of [
      'nu e adresă; script-src *',
      'https://x;sandbox',
      'https://*',
      'https://rau.test',
    ]) {
      await upsertSettings(db, { url_backend })
      expect(await policy()).toBeNull()
    }
  })

  it('allow connections to the search service only when one is configured [1.7]', async () => {
    const { pages, db, readSite } = await createPages()
    const policy = async () => (await pages.request('/patients')).headers.get('content-security-policy')
    expect(await policy()).toBeNull()
    await upsertSettings(db, { search_application_id: 'ABC123' })
    expect(await policy()).toBeNull()
    await upsertSettings(db, { search_public_key: 'cheie-publica' })
    expect(/connect-src [^;]*/.exec((await policy()) ?? '')?.[0]).toBe(
      "connect-src 'self' ws://localhost:3000 https://ABC123-dsn.algolia.net https://ABC123.algolia.net " +
        'https://ABC123-1.algolianet.com https://ABC123-2.algolianet.com https://ABC123-3.algolianet.com',
    )
    expect(await readSite()).toMatchObject({
      search_application_id: 'ABC123',
      search_public_key: 'cheie-publica',
    })
  })

  it('offer the demo accounts in the demo, and never in production', async () => {
    for (const production of [false, true]) {
      const { db, readSite } = await createPages({ production })
      await createUser(db, { email: 'admin@dosar.test', role: 'admin' })
      await createUser(db, { email: 'plecat@dosar.test', status: 'suspended' })
      await createUser(db, { email: 'cineva@clinica.test' })
      expect((await readSite()).demoPassword).toBeNull()
      await upsertSettings(db, { demo: true })
      const { demoAccounts, demoPassword } = await readSite()
      expect({ demoAccounts, demoPassword }).toEqual(
        production
          ? { demoAccounts: [], demoPassword: null }
          : { demoAccounts: [{ email: 'admin@dosar.test', role: 'admin' }], demoPassword: DEMO_PASSWORD },
      )
    }
  })

  it('open while the database is unavailable', async () => {
    const { services, folder } = await createPages()
    const db = openDatabase({ host: '127.0.0.1', port: 1 }, () => undefined)
    const frontEnd = openBuiltFrontEnd(folder)
    const renderPage = createPageRenderer({ ...services, db }, frontEnd)
    const response = await pageRoutes(frontEnd, renderPage).request('/patients')
    await db.destroy()
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('id="site"')])
  })

  it('of a denied file show the last known settings while the database is unavailable', async () => {
    const { services, db, folder } = await createPages()
    await upsertSettings(db, { name: 'Clinica Exemplu' })
    const app = createApp(services, openBuiltFrontEnd(folder))
    await app.request('/')
    const unavailable = openDatabase({ host: '127.0.0.1', port: 1 }, () => undefined)
    onTestFinished(() => unavailable.destroy())
    services.db = unavailable
    const page = await app.request(`/files/${crypto.randomUUID()}`, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('Clinica Exemplu')])
  })

  it('are 404, not an error, when the front end is not built', async () => {
    const { services } = await createTestServer()
    const app = new Hono<Env>()
    app.onError(handleError(services))
    const frontEnd = openBuiltFrontEnd('/nonexistent/dist')
    app.route('/', pageRoutes(frontEnd, createPageRenderer(services, frontEnd)))
    expect((await app.request('/')).status).toBe(404)
  })
})

describe('files', () => {
  it('are cached forever when named by their content; the others are revalidated', async () => {
    const { pages } = await createPages()
    const asset = await pages.request('/assets/main-abc123.js')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await asset.text()).toBe(SCRIPT)
    const boot = await pages.request('/boot.js')
    expect(boot.headers.get('cache-control')).toBe('no-cache')
    const etag = boot.headers.get('etag')!
    const again = await pages.request('/boot.js', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    const other = await pages.request('/boot.js', { headers: { 'if-none-match': '"altul"' } })
    expect(other.status).toBe(200)
  })

  it('are compressed when it saves bytes and the browser accepts it', async () => {
    const { pages } = await createPages()
    const fetchFile = async (path: string, accept?: string) => {
      const response = await pages.request(path, {
        headers: accept === undefined ? {} : { 'accept-encoding': accept },
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      return { encoding: response.headers.get('content-encoding'), vary: response.headers.get('vary'), bytes }
    }
    const script = '/assets/main-abc123.js'
    const brotli = await fetchFile(script, 'gzip, deflate, br, zstd')
    expect([brotli.encoding, brotli.vary]).toEqual(['br', 'Accept-Encoding'])
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(SCRIPT)
    expect(brotli.bytes.length).toBeLessThan(SCRIPT.length / 10)
    const zipped = await fetchFile(script, 'gzip, deflate, br;q=0')
    expect(zipped.encoding).toBe('gzip')
    expect(gunzipSync(zipped.bytes).toString()).toBe(SCRIPT)
    for (const accept of [undefined, 'identity', 'br;q=0, gzip;q=0.0']) {
      const plain = await fetchFile(script, accept)
      expect([accept, plain.encoding, plain.bytes.toString()]).toEqual([accept, null, SCRIPT])
    }
    expect((await fetchFile('/assets/font-abc123.woff2', 'br')).encoding).toBeNull()
  })

  it('are those of the build and no others, however the path is written', async () => {
    const { pages } = await createPages()
    const paths = [
      '/index.html',
      '/.sources',
      '/.vite/manifest.json',
      '/boot.js.br',
      '/assets/main-abc123.js.gz',
      '/assets/main-abc123.js.map',
      '/secret.txt',
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/assets/..;/..;/secret.txt',
      '/assets//main-abc123.js',
      '//assets/main-abc123.js',
      '/ASSETS/main-abc123.js',
      '/assets/main-abc123.js%00',
      '/.env',
      '/.git/config',
      '/builds/meta/../../.env',
      '/package.json',
      '/constructor.js',
      '/__proto__.js',
    ]
    for (const path of paths) {
      const response = await pages.request(`http://localhost:3000${path}`)
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})

describe('addresses for programs', () => {
  it('are 404 in JSON when unknown, never a page', async () => {
    const { pages } = await createPages()
    for (const path of [
      '/api',
      '/api/altceva',
      '/api/auth/',
      '//api/token',
      '/files',
      '/files/x',
      '/graphql',
      '/graphql/',
    ]) {
      const response = await pages.request(`http://localhost:3000${path}`)
      expect([path, response.status]).toEqual([path, 404])
      expect(response.headers.get('content-type')).toContain('application/json')
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect([method, (await pages.request('/patients', { method })).status]).toEqual([method, 404])
    }
  })
})
