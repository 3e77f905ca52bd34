import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeUser } from '../../db/factories.ts'
import { PATIENCE_MS, startMain } from '../../test/processes/main-process.ts'
import { sendRaw } from '../../test/processes/raw-request.ts'
import { createTestServer } from '../../test/test-server.ts'

const BODY = JSON.stringify({ email: 'ana@exemplu.test' })
/** Far more than a server needs to end that does not wait for its requests. */
const WHILE_MS = 3_000

/** Sends all of a request but the last byte of its body. */
async function beginRequest(url: string) {
  const { socket, text } = await sendRaw(
    url,
    `POST /api/password-reset HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, -1)}`,
  )
  return { end: () => socket.write(BODY.slice(-1)), closed: text }
}

it(
  'a stop lets running requests end, takes no further ones, and is not kept by one that never ends',
  async () => {
    const server = await createTestServer()
    // With an account no demo is made.
    await makeUser(server.db)
    const product = await startMain(server)
    await expect.poll(product.printed, { timeout: PATIENCE_MS }).toContain('Dosar: http')
    const slow = await beginRequest(product.url)
    const endless = await beginRequest(product.url)
    // On a third connection, so that the server has received the bytes of the first two.
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200)
    const stopped = product.stop()
    await expect.poll(() => fetch(product.url).catch(() => null), { timeout: PATIENCE_MS }).toBeNull()
    await pause(WHILE_MS)
    slow.end()
    expect(await slow.closed).toMatch(/^HTTP\/1\.1 202 [\s\S]*\r\n\r\n\{\}$/)
    await stopped
    expect(await endless.closed).toBe('')
    expect(product.printed()).not.toMatch(/"level":"(warn|error)"/)
  },
  3 * PATIENCE_MS,
)
