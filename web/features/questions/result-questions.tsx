import { useMutation, useQuery } from '@apollo/client/react'
import { errorMessage } from '../../api/client-error.ts'
import { Card } from '../../ui/base/card.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { useListChanges } from '../site/use-list-changes.ts'
import { CloseButton, MessageForm, MessageList } from './conversation.tsx'
import { QuestionStatePill } from './question-state.tsx'
import { ASK_QUESTION, QUESTIONS } from './questions.queries.ts'
import { useMarkRead } from './use-mark-read.ts'

/** What the user's institution has asked about a result, and the form to ask. */
export function ResultQuestions({ uploadId }: { uploadId: string }) {
  const { data, error, refetch } = useQuery(QUESTIONS, {
    variables: { uploadId },
    fetchPolicy: 'cache-and-network',
  })
  const [ask] = useMutation(ASK_QUESTION)
  const reload = () => void refetch().catch(() => undefined)
  useListChanges('QUESTIONS', reload)
  const question = data?.questions[0]
  useMarkRead(question)
  return (
    <Card
      title="Întrebări pentru centru"
      meta={question && <QuestionStatePill state={question.state} isUnread={question.isUnread} />}
    >
      {data ? (
        <div className="grid gap-4">
          {question ? (
            <>
              <MessageList messages={question.messages} />
              <CloseButton question={question} />
            </>
          ) : (
            <p className="text-sm text-muted">
              Întrebați ce nu este clar în acest rezultat. Întrebarea și răspunsul le văd și colegii
              dumneavoastră.
            </p>
          )}
          <MessageForm
            label={question ? 'Mesaj nou' : 'Întrebarea dumneavoastră'}
            submitLabel={question ? 'Trimiteți mesajul' : 'Trimiteți întrebarea'}
            onSend={async (text) => {
              await ask({ variables: { uploadId, text } })
              if (!question) await refetch()
            }}
          />
        </div>
      ) : error ? (
        <ErrorState onRetry={reload}>{errorMessage(error)}</ErrorState>
      ) : (
        <Skeleton className="h-24" />
      )}
    </Card>
  )
}
