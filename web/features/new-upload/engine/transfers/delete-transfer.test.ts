import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { deleteTransfer } from './delete-transfer.ts'

/** Starts a server that responds with `status` to a DELETE, and with `offset` of 10 bytes to a HEAD. */
async function serve(status: number, offset: number) {
  const server = createServer(({ method }, response) => {
    if (method === 'HEAD') response.writeHead(200, { 'upload-offset': offset, 'upload-length': 10 })
    else response.writeHead(status)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/files/a`
}

it.each([204, 404])('is deleted after status %i', async (status) => {
  expect(await deleteTransfer(await serve(status, 5))).toBe('deleted')
})

it('is finished if it may not be deleted and the server has all its bytes', async () => {
  expect(await deleteTransfer(await serve(403, 10))).toBe('finished')
})

it('is undecided if the request was rejected although bytes are missing', async () => {
  await expect(deleteTransfer(await serve(403, 5))).rejects.toMatchObject({ status: 403 })
})

it.each([423, 500])('is undecided after status %i', async (status) => {
  await expect(deleteTransfer(await serve(status, 10))).rejects.toMatchObject({ status })
})
