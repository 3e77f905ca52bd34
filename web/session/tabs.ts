/** What one tab tells the others: the session has ended on the server, or somebody has to look who is signed in now. */
type SessionMessage = 'ended' | 'changed'

let channel: BroadcastChannel | null = null

export const broadcastSession = (message: SessionMessage): void => channel?.postMessage(message)

/** Listens to the other tabs of this browser, and lets this one speak. Answers the end of it. */
export function listenToTabs(onMessage: (message: SessionMessage) => void): () => void {
  const joined = new BroadcastChannel('dosar-session')
  joined.onmessage = ({ data }) => onMessage(data)
  channel = joined
  return () => {
    joined.close()
    channel = null
  }
}
