import type { ReactNode } from 'react'
import { Button } from '../base/button.tsx'
import { Alert } from '../feedback/alert.tsx'
import { ErrorState } from './empty-state.tsx'

export interface ListRegionProps {
  /** Whether the request for the current search and filters is in progress. */
  isBusy: boolean
  /**
   * Whether the rows belong to a previous search: they are dimmed and inert (no click, no focus, not
   * announced).
   */
  isOutdated: boolean
  /** Why there are no rows: the message replaces `children`. */
  failure: string | null
  /** Why the rows could not be refreshed; the rows stay. */
  refreshFailure: string | null
  isRetrying: boolean
  onRetry: () => void
  children: ReactNode
}

/** Wraps the rows of a list that depends on a search field, filters or the network. */
export function ListRegion({
  isBusy,
  isOutdated,
  failure,
  refreshFailure,
  isRetrying,
  onRetry,
  children,
}: ListRegionProps) {
  if (failure !== null) {
    return (
      <div aria-busy={isRetrying}>
        <ErrorState onRetry={onRetry} isRetrying={isRetrying}>
          {failure}
        </ErrorState>
      </div>
    )
  }
  return (
    <div aria-busy={isBusy} className="min-w-0">
      {refreshFailure !== null && (
        <Alert
          tone="warning"
          title="Lista poate să nu fie la zi"
          actions={
            <Button icon="retry" onPress={onRetry}>
              Încearcă din nou
            </Button>
          }
          className="mb-4"
        >
          {refreshFailure}
        </Alert>
      )}
      <div inert={isOutdated} className="transition-opacity [&[inert]]:opacity-60">
        {children}
      </div>
    </div>
  )
}
