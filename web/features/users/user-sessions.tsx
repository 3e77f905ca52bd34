import { useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { END_SESSION } from '../own-account/own-account.queries.ts'
import { SessionsList } from '../own-account/sessions-list.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'
import { USER_SESSIONS } from './accounts.queries.ts'

/** Lists a user's sessions, for an administrator to end. */
export function UserSessions({ userId }: { userId: string }) {
  const variables = { userId }
  const { data, error, refetch } = useQuery(USER_SESSIONS, { variables, fetchPolicy: 'network-only' })
  const [end] = useMutation(END_SESSION)
  const [ending, setEnding] = useState<string | null>(null)
  const attempt = useAsyncAction()
  const endOne = async (id: string) => {
    setEnding(id)
    await attempt.run(async () => {
      await end({ variables: { id } })
      await refetch()
    })
    setEnding(null)
  }
  if (error && !data) return <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
  if (!data) return <Skeleton className="h-16" />
  return (
    <>
      <FailureNotice>{attempt.message}</FailureNotice>
      {data.userSessions.length === 0 ? (
        <p className="text-sm text-muted">Nicio sesiune deschisă.</p>
      ) : (
        <SessionsList sessions={data.userSessions} ending={ending} onEnd={(id) => void endOne(id)} />
      )}
    </>
  )
}
