import { useMutation } from '@apollo/client/react'
import { useEffect } from 'react'
import { type Conversation, MARK_QUESTION_READ } from './questions.queries.ts'

/** Marks the answers to the shown question as read. In a hidden page they stay unread until it is shown. */
export function useMarkRead(question: Pick<Conversation, 'id' | 'isUnread' | 'version'> | undefined): void {
  const [markRead] = useMutation(MARK_QUESTION_READ)
  const id = question?.isUnread ? question.id : null
  const version = question?.version
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer after the marking is marked too
  useEffect(() => {
    if (id === null) return
    const mark = () => {
      if (document.visibilityState === 'visible') markRead({ variables: { id } }).catch(() => undefined)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [id, version, markRead])
}
