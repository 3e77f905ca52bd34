/**
 * The message of one tab to the others: the session has ended on the server, or the signed-in user may have
 * changed.
 */
type SessionMessage = 'ended' | 'changed'

let channel: BroadcastChannel | null = null

export const broadcastSession = (message: SessionMessage): void => channel?.postMessage(message)

/**
 * Listens to the other tabs of this browser, and lets this tab send messages. Returns a function that ends
 * both.
 */
export function listenToTabs(onMessage: (message: SessionMessage) => void): () => void {
  const joined = new BroadcastChannel('dosar-session')
  joined.onmessage = ({ data }) => onMessage(data)
  channel = joined
  return () => {
    joined.close()
    channel = null
  }
}
