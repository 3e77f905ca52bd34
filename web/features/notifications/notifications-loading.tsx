import { Skeleton } from '../../ui/base/loading.tsx'

/** In place of the list while it loads. */
export function NotificationsLoading() {
  return (
    <div role="status" aria-label="Se încarcă" className="grid gap-3 p-4">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  )
}
