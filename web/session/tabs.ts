/** What one tab tells the others: the session has ended on the server, or somebody has to look who is signed in now. */
type News = 'ended' | 'changed'

let channel: BroadcastChannel | null = null

export const tellTabs = (news: News): void => channel?.postMessage(news)

/** Listens to the other tabs of this browser, and lets this one speak. Answers the end of it. */
export function joinTabs(onNews: (news: News) => void): () => void {
  const joined = new BroadcastChannel('dosar-session')
  joined.onmessage = ({ data }) => onNews(data)
  channel = joined
  return () => {
    joined.close()
    channel = null
  }
}
