import { useQuery } from '@apollo/client/react'
import { useEffect, useRef } from 'react'
import { nameFromSlug } from '../../../shared/uploads/categories.ts'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { CATEGORY_MOVES } from './categories.queries.ts'
import { useCategories } from './categories.ts'

/** How often the moves are read again while there are any. */
const POLL_MS = 1_000

/** Shows how far the uploads of removed categories have moved, and when all have; nothing if none move. */
export function MovesNotice() {
  const { list, version } = useCategories()
  const { data, refetch, startPolling, stopPolling } = useQuery(CATEGORY_MOVES, {
    fetchPolicy: 'cache-and-network',
  })
  const moves = data?.categoryMoves ?? []
  const isMoving = moves.length > 0
  // A save may have begun further moves.
  useEffect(() => {
    if (version !== 0) void refetch().catch(() => undefined)
  }, [version, refetch])
  useEffect(() => {
    if (!isMoving) return
    startPolling(POLL_MS)
    return () => {
      stopPolling()
    }
  }, [isMoving, startPolling, stopPolling])
  useDone(isMoving)
  if (!isMoving) return null
  const nameOf = (slug: string) => list.find((each) => each.slug === slug)?.name ?? nameFromSlug(slug)
  return (
    <Alert tone="info" title="Încărcările se mută în noua categorie" isLive>
      <p>Poți lucra mai departe: încărcările se găsesc deja toate în categoria nouă.</p>
      <ul className="mt-2 grid gap-3">
        {moves.map(({ from, to, count, moved }) => (
          <li key={from}>
            <ProgressBar
              label={`Din „${nameOf(from)}” în „${nameOf(to)}”`}
              value={(moved / count) * 100}
              valueText={`${moved.toLocaleString('ro')} din ${count.toLocaleString('ro')}`}
            />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** Announces the end of moves that the page has shown. */
function useDone(isMoving: boolean): void {
  const wasMoving = useRef(false)
  useEffect(() => {
    if (wasMoving.current && !isMoving) showToast({ tone: 'success', title: 'Încărcările au fost mutate' })
    wasMoving.current = isMoving
  }, [isMoving])
}
