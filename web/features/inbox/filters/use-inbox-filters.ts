import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { InboxFilters } from '../../../../shared/uploads/inbox.ts'
import { useUser } from '../../../session/use-session.ts'
import { filtersOf } from './inbox-filters.ts'
import { keepFilters } from './keep-filters.ts'

const route = getRouteApi('/institution-layout/institution')

/**
 * The filters of the address. A visit without any begins with those that the user has kept, from its first request on; only
 * what the user changes is kept, so that a shared link leaves it as it is.
 */
export function useInboxFilters() {
  const navigate = route.useNavigate()
  const { inboxFilters: kept } = useUser()
  const ofAddress = filtersOf(route.useSearch())
  const [initial, setInitial] = useState(
    kept && Object.keys(kept).length > 0 && Object.keys(ofAddress).length === 0 ? kept : null,
  )
  const show = (next: InboxFilters): Promise<void> =>
    navigate({
      search: ({ upload, tab }) => ({ ...(tab && { tab }), ...(upload && { upload }), ...next }),
      replace: true,
      state: true,
      resetScroll: false,
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the screen opens
  useEffect(() => {
    if (initial) void show(initial).finally(() => setInitial(null))
  }, [])
  return {
    filters: initial ?? ofAddress,
    setFilters: (next: InboxFilters) => {
      setInitial(null)
      void keepFilters(next)
      void show(next)
    },
  }
}
