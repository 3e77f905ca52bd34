import { useMutation } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { MARK_NEWS_READ, type NewsEntry } from './news.queries.ts'

const NONE: readonly NewsEntry[] = []
const textOf = ({ id, revision }: NewsEntry) => `${id} ${revision}`

/**
 * Marks the shown news about a patient as read, in a hidden page once it is shown. Returns whether an entry was unread when
 * it was first shown, so that it stays marked until the screen is left.
 */
export function useMarkNewsRead(patientId: string, news: readonly NewsEntry[] = NONE) {
  const [markRead] = useMutation(MARK_NEWS_READ)
  const [seenTexts, setSeenTexts] = useState<ReadonlySet<string>>(new Set())
  const unread = news.filter(({ isUnread }) => isUnread)
  const unreadTexts = unread.map(textOf).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `unreadTexts` has an id of each entry and text
  useEffect(() => {
    if (unread.length === 0) return
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      setSeenTexts((texts) => new Set([...texts, ...unread.map(textOf)]))
      markRead({
        variables: { readings: unread.map(({ id, revision }) => ({ id, revision })) },
        // The rows of an inbox count what is unread of the patient: nothing any more.
        update: (cache) =>
          void cache.modify<{ newsMarks: { unread: number } | null }>({
            id: cache.identify({ __typename: 'UploadPatient', id: patientId }) ?? '',
            fields: { newsMarks: (marks) => marks && { ...marks, unread: 0 } },
          }),
      }).catch(() => undefined)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [patientId, unreadTexts, markRead])
  return (entry: NewsEntry): boolean => entry.isUnread || seenTexts.has(textOf(entry))
}
