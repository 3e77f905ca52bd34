import { useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { USER_SESSIONS, type UserRow } from './accounts.queries.ts'
import { END_SESSION } from './own-account.queries.ts'
import { SessionsList } from './sessions-list.tsx'
import { useAttempt } from './use-attempt.ts'

/** Where somebody else is signed in, for an administrator who ends it. */
export function UserSessionsDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const variables = { userId: user.id }
  const { data, error, refetch } = useQuery(USER_SESSIONS, { variables, fetchPolicy: 'network-only' })
  const [end] = useMutation(END_SESSION)
  const [ending, setEnding] = useState<string | null>(null)
  const attempt = useAttempt()
  const endOne = async (id: string) => {
    setEnding(id)
    await attempt.run(async () => {
      await end({ variables: { id } })
      await refetch()
    })
    setEnding(null)
  }
  return (
    <Dialog isOpen onOpenChange={onClose} title={`Sesiuni: ${user.name}`}>
      <FailureNotice>{attempt.message}</FailureNotice>
      {error && !data ? (
        <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
      ) : !data ? (
        <Skeleton className="h-24" />
      ) : data.userSessions.length === 0 ? (
        <EmptyState icon="lock" title="Nicio sesiune deschisă" />
      ) : (
        <SessionsList sessions={data.userSessions} ending={ending} onEnd={(id) => void endOne(id)} />
      )}
    </Dialog>
  )
}
