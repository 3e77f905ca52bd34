import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { runSql } from '../../../../test/databases.ts'
import { EICAR, makePdf, makeZip } from '../../../../test/hostile-files.ts'
import {
  EICAR_SIGNATURE,
  hasEnded,
  MAX_SCANNED_BYTES,
  NO_CLAMD,
  scriptClamd,
  startClamd,
} from '../../../../test/inspection/clamd.ts'
import { createFilers } from '../../../../test/inspection/filed-upload.ts'
import { createTestServer, type TestClient } from '../../../../test/test-server.ts'
import type { ClamdAddress } from '../../../platform/clamd.ts'

const MIGRATION = new URL('../../../../db/migrations/0011_unscanned_files.sql', import.meta.url)

async function statusOf(client: TestClient, path: string): Promise<number> {
  const response = await client.get(path)
  await response.arrayBuffer()
  return response.status
}

async function start(clamd: ClamdAddress | null) {
  const server = await createTestServer({ clamd })
  return { server, ...(await createFilers(server)) }
}

const ACCEPT =
  'mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version, reason: "compared-original", comment: "cu originalul") { state } }'

describe('without a scanner', () => {
  it('a file is not called clean, and is reviewed, released and downloaded as before', async () => {
    const { file, reviewer } = await start(null)
    const { id, state, files } = await file({ 'note.txt': EICAR })
    expect(state).toBe('in_review')
    expect(files).toMatchObject([{ scanResult: 'unscanned', facts: {} }])
    expect(await statusOf(reviewer, `/files/${files[0]!.id}`)).toBe(200)
    const { version } = (await reviewer.runQuery('query ($id: ID!) { upload(id: $id) { version } }', { id }))
      .upload
    const accepted = await reviewer.runQuery(ACCEPT, { id, version })
    expect(accepted.acceptUpload.state).toBe('released')
    expect(await statusOf(reviewer, `/files/zip/${id}`)).toBe(200)
  })
})

describe('a file of an earlier build', () => {
  it('was accepted without a scan, and is unscanned after the update', async () => {
    const { server, file, read, reviewer } = await start(null)
    const { id, files } = await file({ 'note.txt': Buffer.from('bine'), 'pagina.txt': Buffer.from('<html>') })
    await server.db
      .updateTable('file')
      .set({ scan_result: 'clean' })
      .where('scan_result', '=', 'unscanned')
      .execute()
    await runSql(server.connection, await readFile(MIGRATION, 'utf8'))
    expect((await read(id, reviewer)).files).toEqual(files)
    expect(files.map(({ scanResult }) => scanResult)).toEqual(['unscanned', 'refused'])
  })
})

describe('with a real clamd', () => {
  it('an infected file stays in quarantine, with the signature in the details and the journal', async ({
    skip,
  }) => {
    skip(NO_CLAMD !== null, NO_CLAMD ?? '')
    const { server, file, read, registrar, reviewer } = await start(await startClamd())
    const { id, state, files } = await file({
      'buletin.pdf': await makePdf(1),
      'e.txt': EICAR,
      'e.zip': await makeZip({ 'adanc/e.txt': EICAR }),
    })
    const signature = `${EICAR_SIGNATURE}.UNOFFICIAL`
    expect(state).toBe('quarantined')
    expect(files).toMatchObject([
      { name: 'buletin.pdf', scanResult: 'clean', facts: {} },
      { name: 'e.txt', scanResult: 'refused', facts: { reason: 'infected', signature } },
      { name: 'e.zip', scanResult: 'refused', facts: { reason: 'infected', signature } },
    ])
    expect((await read(id, registrar)).files).toEqual(files)
    for (const each of files) expect(await statusOf(reviewer, `/files/${each.id}`)).toBe(409)
    const entry = await server.db
      .selectFrom('audit_event')
      .select('changes')
      .where('action', '=', 'upload.checked')
      .executeTakeFirstOrThrow()
    expect(entry.changes).toMatchObject({ malware: { to: [signature, signature] } })
  })

  it('a scanned file is clean; one that it cannot read whole is unscanned, says so, and is usable', async ({
    skip,
  }) => {
    skip(NO_CLAMD !== null, NO_CLAMD ?? '')
    const { file, reviewer } = await start(await startClamd())
    const large = Buffer.alloc(MAX_SCANNED_BYTES + 1, 'a')
    const { state, files } = await file({ 'mic.txt': Buffer.from('bine'), 'mare.txt': large })
    expect(state).toBe('in_review')
    expect(files).toMatchObject([
      { name: 'mic.txt', scanResult: 'clean', facts: {} },
      { name: 'mare.txt', scanResult: 'unscanned', facts: { scan: 'incomplete' } },
    ])
    for (const each of files) expect(await statusOf(reviewer, `/files/${each.id}`)).toBe(200)
  })
})

describe('the name of malware', () => {
  it('is stored without characters that nobody sees', async () => {
    const { address } = await scriptClamd(
      (socket, received) => hasEnded(received) && socket.end('stream: Win\u0007.A FOUND\0'),
    )
    const { file } = await start(address)
    expect((await file({ 'note.txt': Buffer.from('bine') })).files).toMatchObject([
      { scanResult: 'refused', facts: { reason: 'infected', signature: 'Win.A' } },
    ])
  })
})

describe('a scanner that gives no result', () => {
  it('keeps the upload in its check, where nobody reads a file, until it answers', async () => {
    let isDown = true
    const { address } = await scriptClamd((socket, received) => {
      if (isDown) socket.destroy()
      else if (hasEnded(received)) socket.end('stream: OK\0')
    })
    const { server, send, read, registrar, reviewer } = await start(address)
    const id = await send({ 'note.txt': Buffer.from('bine') })
    await expect(server.runJobs()).rejects.toThrow('gave no result')
    const waiting = await read(id)
    expect(waiting.state).toBe('checking')
    expect(waiting.files).toMatchObject([{ scanResult: 'pending' }])
    for (const client of [registrar, reviewer])
      expect(await statusOf(client, `/files/${waiting.files[0]!.id}`)).toBe(409)

    isDown = false
    await server.services.jobs.enqueue(server.db, 'check-upload', { uploadId: id })
    await server.runJobs()
    expect(await read(id)).toMatchObject({ state: 'in_review', files: [{ scanResult: 'clean' }] })
  })
})
