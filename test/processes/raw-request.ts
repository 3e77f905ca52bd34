import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Opens a connection until the end of the test and sends these bytes; `text` resolves with all that was received when the
 * connection ends.
 */
export async function sendRaw(url: string, sent: string): Promise<{ socket: Socket; text: Promise<string> }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const text = once(socket, 'close').then(() => received)
  socket.write(sent)
  return { socket, text }
}
