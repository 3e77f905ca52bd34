import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { INTAKE_PATH } from '../../../shared/integrations.ts'
import { createIntegration } from '../../../test/integrations/send-documents.ts'
import { listen } from '../../../test/real-http.ts'
import { createTestServer } from '../../../test/test-server.ts'

it('an address that is taken away while the bytes arrive stores nothing', async () => {
  const server = await createTestServer()
  const real = await listen(server.app)
  onTestFinished(() => real.close())
  const lis = await createIntegration(server)
  const { authorization } = lis.headers('k')
  const body = Buffer.from(
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabcdefgh\r\n--x--\r\n',
  )
  const { port, hostname } = new URL(real.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    `POST ${INTAKE_PATH} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${authorization}\r\nidempotency-key: k\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.subarray(0, 80))
  await expect
    .poll(
      async () =>
        (await server.db.selectFrom('integration').select('last_used_at').executeTakeFirstOrThrow())
          .last_used_at,
    )
    .not.toBeNull()
  await new Promise((r) => setTimeout(r, 300))
  await server.db
    .updateTable('integration')
    .set({ addresses: ['192.0.2.1'] })
    .execute()
  socket.write(body.subarray(80))
  const [answer] = await once(socket, 'data')
  socket.destroy()
  expect(String(answer).split('\r\n')[0]).toContain('403')
})
