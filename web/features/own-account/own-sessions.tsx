import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { END_OTHER_SESSIONS, END_SESSION, OWN_ACCOUNT, type SessionRow } from './own-account.queries.ts'
import { SessionsList } from './sessions-list.tsx'
import { useAsyncAction } from './use-async-action.ts'

/** Lists the user's sessions, with actions to end one or all others. */
export function OwnSessions({ sessions }: { sessions: readonly SessionRow[] }) {
  const [endOne] = useMutation(END_SESSION, { refetchQueries: [OWN_ACCOUNT], awaitRefetchQueries: true })
  const [endOthers] = useMutation(END_OTHER_SESSIONS, {
    refetchQueries: [OWN_ACCOUNT],
    awaitRefetchQueries: true,
  })
  const [ending, setEnding] = useState<string | null>(null)
  const single = useAsyncAction()
  const others = useAsyncAction()
  const message = single.message ?? others.message

  const end = async (id: string) => {
    setEnding(id)
    await single.run(() => endOne({ variables: { id } }))
    setEnding(null)
  }

  return (
    <div className="grid gap-3">
      <FailureNotice>{message}</FailureNotice>
      <SessionsList sessions={sessions} ending={ending} onEnd={(id) => void end(id)} />
      {sessions.length > 1 && (
        <Button
          className="justify-self-start"
          isPending={others.isPending}
          onPress={() => void others.run(() => endOthers())}
        >
          Închide toate celelalte
        </Button>
      )}
    </div>
  )
}
