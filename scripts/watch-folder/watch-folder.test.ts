import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createWatch } from './watch.ts'

type Received = {
  key: string
  authorization: string
  fields: string[]
  facts: string | null
  name: string
  bytes: string
}
type Reply = { status: number; body: object | string; headers?: Record<string, string> }

const sha256 = (bytes: string) => createHash('sha256').update(bytes).digest('hex')

async function readForm(request: IncomingMessage): Promise<Received> {
  const body = await buffer(request)
  const form = await new Response(body, {
    headers: { 'content-type': request.headers['content-type']! },
  }).formData()
  const file = form.get('file') as File
  return {
    key: String(request.headers['idempotency-key']),
    authorization: String(request.headers.authorization),
    fields: [...form.keys()],
    facts: form.get('facts') as string | null,
    name: file.name,
    bytes: await file.text(),
  }
}

/** A server that keeps documents by the rules of `POST /api/intake`; `reply` answers in its place, `meet` sees the request begin. */
async function openFolder({
  reply,
  meet,
}: {
  reply?: (received: Received) => Promise<Reply | null>
  meet?: () => Promise<void>
} = {}) {
  const kept = new Map<string, Received>()
  const requests: Received[] = []
  const server = createServer(async (request, response) => {
    await meet?.()
    const received = await readForm(request).catch(() => null)
    if (!received) return request.destroy()
    requests.push(received)
    const earlier = kept.get(received.key)
    const isOther = earlier && (earlier.bytes !== received.bytes || earlier.facts !== received.facts)
    const conflict: Reply = {
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT', message: 'Cheia este a altui document.' },
    }
    const answer = (await reply?.(received)) ?? (isOther ? conflict : null)
    if (!answer) kept.set(received.key, received)
    const stored = { status: earlier ? 200 : 201, body: { sha256: sha256(received.bytes) } }
    const { status, body, headers }: Reply = answer ?? stored
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const root = await realpath(await mkdtemp(join(tmpdir(), 'dosar-watch-')))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await rm(root, { recursive: true, force: true })
  })
  const lines: string[] = []
  const settings = {
    root,
    server: {
      address: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      key: 'di_test',
    },
    stablePolls: 1,
    maxRequestBytes: 64 * 1024 ** 2,
    retryMs: 0,
    log: (line: string) => lines.push(line),
  }
  return {
    root,
    requests,
    kept,
    lines,
    settings,
    poll: createWatch(settings),
    put: async (path: string, bytes: string) => {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), bytes)
    },
    read: (path: string) => readFile(join(root, path), 'utf8'),
    list: async () =>
      (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .sort(),
  }
}

describe('what is sent', () => {
  it('is each document of the folder and its sub-folders, with its facts', async () => {
    const { put, poll, requests, list, lines } = await openFolder()
    await put('Popescu "Ană".pdf', 'un buletin')
    await put('Popescu "Ană".pdf.json', '{"cnp":"2900101410019"}')
    await poll()
    await put('eco/scan.pdf', 'o ecografie')
    await poll()
    expect(requests.map(({ name, facts, bytes, fields }) => ({ name, facts, bytes, fields }))).toEqual([
      {
        name: 'Popescu "Ană".pdf',
        facts: '{"cnp":"2900101410019"}',
        bytes: 'un buletin',
        fields: ['facts', 'file'],
      },
      { name: 'scan.pdf', facts: null, bytes: 'o ecografie', fields: ['file'] },
    ])
    expect(requests[0]!.authorization).toBe('Bearer di_test')
    expect(requests[0]!.key).toMatch(new RegExp(`^[0-9a-f]{32}-${sha256('un buletin')}$`))
    expect(await list()).toEqual([
      'preluate/Popescu "Ană".pdf',
      'preluate/Popescu "Ană".pdf.json',
      'preluate/eco/scan.pdf',
    ])
    expect(lines).toEqual(['Fișiere preluate: 1.', 'Fișiere preluate: 1.'])
  })

  it('is no name of an unfinished file, no facts, no empty file and nothing behind a link', async () => {
    const { put, poll, requests, root, list } = await openFolder()
    const others = [
      '.ascuns.pdf',
      'a.pdf.filepart',
      'a.PART',
      'a.tmp',
      'a.pdf.motiv.txt',
      'singur.json',
      'Thumbs.db',
      '~$a.docx',
      'b~',
    ]
    for (const name of others) await put(name, 'x')
    await put('gol.pdf', '')
    const elsewhere = await mkdtemp(join(tmpdir(), 'dosar-elsewhere-'))
    onTestFinished(() => rm(elsewhere, { recursive: true }))
    await writeFile(join(elsewhere, 'secret.pdf'), 'secret')
    await symlink(join(elsewhere, 'secret.pdf'), join(root, 'link.pdf'))
    await symlink(elsewhere, join(root, 'folder'))
    // A document is not sent without the facts beside it.
    await put('cu-date.pdf', 'x')
    await symlink(join(elsewhere, 'secret.pdf'), join(root, 'cu-date.pdf.json'))
    await poll()
    expect(requests).toEqual([])
    expect(await list()).toEqual([...others, 'gol.pdf', 'cu-date.pdf'].sort())
  })

  it('is a document that stayed the same for several polls', async () => {
    const { put, settings, requests } = await openFolder()
    const poll = createWatch({ ...settings, stablePolls: 3 })
    await put('a.pdf', 'o ')
    await poll()
    await poll()
    await put('a.pdf', 'o pagină')
    await poll()
    await poll()
    expect(requests).toEqual([])
    await poll()
    expect(requests.map(({ bytes }) => bytes)).toEqual(['o pagină'])
  })
})

describe('a document that changes', () => {
  it('while it is sent is broken off, and sent anew', async () => {
    const large = 'a'.repeat(8_000_000)
    const changes = [`${large}b`, 'b'.repeat(large.length)]
    const written: Promise<void>[] = []
    const { put, poll, requests, list, kept } = await openFolder({
      meet: async () => {
        const next = changes.shift()
        if (next) written.push(put('a.pdf', next))
        await written.at(-1)
      },
    })
    await put('a.pdf', large)
    for (const count of [1, 2]) {
      await poll()
      await Promise.all(written)
      expect(written.length).toBe(count)
    }
    expect(requests).toEqual([])
    expect(await list()).toEqual(['a.pdf'])
    await poll()
    expect([...kept.values()].map(({ bytes }) => sha256(bytes))).toEqual([sha256('b'.repeat(large.length))])
    expect(await list()).toEqual(['preluate/a.pdf'])
  })

  it('before it is moved stays, and is sent too', async () => {
    let first = true
    const folder = await openFolder({
      reply: async () => {
        if (first) await folder.put('a.pdf', 'al doilea')
        first = false
        return null
      },
    })
    await folder.put('a.pdf', 'primul')
    await folder.poll()
    expect(await folder.list()).toEqual(['a.pdf'])
    await folder.poll()
    expect([...folder.kept.values()].map(({ bytes }) => bytes)).toEqual(['primul', 'al doilea'])
    expect(await folder.read('preluate/a.pdf')).toBe('al doilea')
  })

  it('or goes away while it is sent is no error', async () => {
    const folder = await openFolder({ reply: () => rm(join(folder.root, 'a.pdf')).then(() => null) })
    await folder.put('a.pdf', 'x')
    await folder.poll()
    await folder.poll()
    expect(folder.requests.length).toBe(1)
    expect(folder.lines).toEqual([])
  })
})

describe('a document that was sent', () => {
  it('and not moved is sent again with the same key, and is there once', async () => {
    const { put, poll, root, settings, kept, requests, list } = await openFolder()
    await put('a.pdf', 'x')
    await put('a.pdf.json', '{}')
    await poll()
    // As a process leaves it that is killed right after the answer.
    await rename(join(root, 'preluate/a.pdf'), join(root, 'a.pdf'))
    await rename(join(root, 'preluate/a.pdf.json'), join(root, 'a.pdf.json'))
    await createWatch(settings)()
    expect(requests.length).toBe(2)
    expect(kept.size).toBe(1)
    expect(await list()).toEqual(['preluate/a.pdf', 'preluate/a.pdf.json'])
  })

  it('never leaves its facts to the next document of that name', async () => {
    const { put, poll, root, settings, requests, list } = await openFolder()
    await put('scan.pdf', 'primul')
    await put('scan.pdf.json', '{"cnp":"2900101410019"}')
    await poll()
    // As a process leaves it that is killed between the two moves.
    await rename(join(root, 'preluate/scan.pdf.json'), join(root, 'scan.pdf.json'))
    const factsSha256 = sha256('{"cnp":"2900101410019"}')
    await put(
      'preluate/.mutare-1.json',
      JSON.stringify({ from: 'scan.pdf', to: 'preluate/scan.pdf', written: '', factsSha256 }),
    )
    await put('scan.pdf', 'al doilea')
    await createWatch(settings)()
    expect(requests.at(-1)).toMatchObject({ bytes: 'al doilea', facts: null })
    expect(await list()).toEqual(['preluate/scan-2.pdf', 'preluate/scan.pdf', 'preluate/scan.pdf.json'])
  })

  it('is moved nowhere else by what others write into the folder, which stops nothing', async () => {
    const { put, poll, root, requests, list } = await openFolder()
    const elsewhere = await mkdtemp(join(tmpdir(), 'dosar-elsewhere-'))
    onTestFinished(() => rm(elsewhere, { recursive: true }))
    await writeFile(join(elsewhere, 'secret.json'), 'secret')
    await put('sarcina.json', '{}')
    const outside = `../${elsewhere.slice(dirname(root).length + 1)}`
    const moves = [
      { from: 'sarcina', to: `${outside}/sarcina`, written: '', factsSha256: sha256('{}') },
      { from: 'sarcina', to: `preluate/../${outside}/sarcina`, written: '', factsSha256: sha256('{}') },
      { from: `${outside}/secret`, to: 'preluate/secret', written: '', factsSha256: sha256('secret') },
      { from: 5 },
      null,
    ]
    for (const [index, move] of moves.entries())
      await put(`preluate/.mutare-${index}.json`, JSON.stringify(move))
    await put('preluate/.mutare-x.json', '{')
    await put('a.pdf', 'x')
    await poll()
    expect(await readdir(elsewhere)).toEqual(['secret.json'])
    expect(requests).toHaveLength(1)
    expect(await list()).toEqual(['preluate/a.pdf', 'sarcina.json'])
  })

  it('keeps what has the same name in preluate/', async () => {
    const { put, poll, read } = await openFolder()
    for (const bytes of ['unu', 'doi', 'trei']) {
      await put('a.pdf', bytes)
      await poll()
    }
    expect(await Promise.all(['', '-2', '-3'].map((suffix) => read(`preluate/a${suffix}.pdf`)))).toEqual([
      'unu',
      'doi',
      'trei',
    ])
  })

  it('does not leave the folder through a link', async () => {
    const { put, poll, root, lines } = await openFolder()
    const elsewhere = await mkdtemp(join(tmpdir(), 'dosar-elsewhere-'))
    onTestFinished(() => rm(elsewhere, { recursive: true }))
    await symlink(elsewhere, join(root, 'preluate'))
    await put('a.pdf', 'x')
    await poll()
    expect(await readdir(elsewhere)).toEqual([])
    expect(lines).toEqual([
      'Un fișier nu poate fi citit sau mutat (ELOOP). Rămâne în folder; se încearcă din nou.',
    ])
  })
})

describe('a document that is refused', () => {
  it('for what it is goes to refuzate/, with the reason', async () => {
    const body = { code: 'UNSUPPORTED_TYPE', message: 'Tipul fișierului nu este acceptat.' }
    const { put, poll, list, read, lines } = await openFolder({ reply: async () => ({ status: 415, body }) })
    await put('eco/Popescu.exe', 'x')
    await put('eco/Popescu.exe.json', '{}')
    await poll()
    const moved = [
      'refuzate/eco/Popescu.exe',
      'refuzate/eco/Popescu.exe.json',
      'refuzate/eco/Popescu.exe.motiv.txt',
    ]
    expect(await list()).toEqual(moved)
    expect(await read(moved[2]!)).toContain(
      'Motivul: Tipul fișierului nu este acceptat.\nCodul: 415 UNSUPPORTED_TYPE\n',
    )
    expect(lines).toEqual([
      'Fișiere refuzate: 1 (415 UNSUPPORTED_TYPE). Motivul este lângă fiecare, în refuzate/.',
    ])
  })

  it('for what its facts say goes there too', async () => {
    const fields = [{ field: 'cpn', message: '„cpn” nu este un câmp cunoscut.' }]
    const body = { code: 'BAD_USER_INPUT', message: fields[0]!.message, fields }
    const { put, poll, list } = await openFolder({ reply: async () => ({ status: 400, body }) })
    await put('a.pdf', 'x')
    await poll()
    expect(await list()).toEqual(['refuzate/a.pdf', 'refuzate/a.pdf.motiv.txt'])
  })

  it('because its facts are too large is not sent', async () => {
    const { put, poll, requests, read } = await openFolder()
    await put('a.pdf', 'x')
    await put('a.pdf.json', ' '.repeat(64 * 1024 + 1))
    await poll()
    expect(requests).toEqual([])
    expect(await read('refuzate/a.pdf.motiv.txt')).toContain('FACTS_TOO_LARGE')
  })

  it.each([
    [401, { code: 'UNAUTHENTICATED' }, 'Cheia integrării nu este acceptată (răspuns 401 UNAUTHENTICATED).'],
    [
      403,
      { code: 'FORBIDDEN' },
      'Integrarea nu are voie să trimită de pe acest calculator (răspuns 403 FORBIDDEN).',
    ],
    [429, { code: 'TOO_MANY' }, 'Serverul cere o pauză (răspuns 429 TOO_MANY).'],
    [409, { code: 'IN_PROGRESS' }, ''],
    [400, { code: 'BAD_USER_INPUT', message: 'Cererea nu a ajuns întreagă.' }, ''],
    [507, { code: 'UNAVAILABLE' }, 'Serverul nu poate primi acum (răspuns 507 UNAVAILABLE).'],
    [413, '<html>the page of a proxy</html>', 'La DOSAR_ADDRESS nu răspunde Dosar (răspuns 413).'],
    [200, '<html>another site</html>', 'La DOSAR_ADDRESS nu răspunde Dosar (răspuns 200).'],
    [308, '', 'La DOSAR_ADDRESS nu răspunde Dosar (răspuns 308).'],
  ])('for another reason stays until it is accepted: %i', async (status, body, line) => {
    let isRefused = true
    const { put, poll, list, lines } = await openFolder({
      reply: async () => (isRefused ? { status, body } : null),
    })
    await put('a.pdf', 'x')
    await poll()
    await poll()
    expect(await list()).toEqual(['a.pdf'])
    expect(lines).toEqual(line ? [expect.stringContaining(line)] : [])
    isRefused = false
    await poll()
    expect(await list()).toEqual(['preluate/a.pdf'])
  })
})

describe('while no server answers', () => {
  it('everything stays, and the pause is as long as was asked', async () => {
    const { put, settings, poll, requests, list, lines } = await openFolder({
      reply: async () => ({ status: 503, body: { code: 'UNAVAILABLE' }, headers: { 'retry-after': '3600' } }),
    })
    await put('a.pdf', 'x')
    await put('b.pdf', 'y')
    await put('c.pdf', 'z')
    const unreachable = createWatch({
      ...settings,
      server: { ...settings.server, address: new URL('http://127.0.0.1:1') },
    })
    await unreachable()
    expect(lines).toEqual([
      'Serverul nu răspunde (ECONNREFUSED). Fișierele rămân în folder; se încearcă din nou.',
    ])
    await poll()
    await poll()
    // Two at a time had begun when the first answer came.
    expect(requests.length).toBeLessThanOrEqual(2)
    expect(await list()).toEqual(['a.pdf', 'b.pdf', 'c.pdf'])
  })
})
