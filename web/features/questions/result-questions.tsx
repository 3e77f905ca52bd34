import { useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { SideSheet } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { useListChanges } from '../site/use-list-changes.ts'
import { CloseButton, type Draft, MessageForm, MessageList, useGuardedDraft } from './conversation.tsx'
import { QuestionStatePill } from './question-state.tsx'
import { ASK_QUESTION, type Conversation, QUESTIONS } from './questions.queries.ts'
import { useMarkRead } from './use-mark-read.ts'

/** A button that opens what the user's institution has asked about a result, and the form to ask. */
export function ResultQuestions({ uploadId }: { uploadId: string }) {
  const { data, error, refetch } = useQuery(QUESTIONS, {
    variables: { uploadId },
    fetchPolicy: 'cache-and-network',
  })
  const [isOpen, setOpen] = useState(false)
  const reload = () => void refetch().catch(() => undefined)
  useListChanges('QUESTIONS', reload)
  const question = data?.questions[0]
  const { draft, warning } = useGuardedDraft()
  const close = () =>
    warning.leave(() => {
      draft.setText('')
      setOpen(false)
    })
  return (
    <>
      <span className="relative">
        <IconButton
          icon="help"
          label={question?.isUnread ? 'Răspuns nou de la centru' : 'Întrebați centrul'}
          onPress={() => setOpen(true)}
        />
        {question?.isUnread && (
          <span className="pointer-events-none absolute top-1.5 right-1.5 size-2.5 rounded-full bg-accent" />
        )}
      </span>
      <SideSheet title="Întrebări pentru centru" isOpen={isOpen} onOpenChange={close}>
        {data ? (
          <QuestionOfResult uploadId={uploadId} question={question} draft={draft} onAsked={refetch} />
        ) : error ? (
          <ErrorState onRetry={reload}>{errorMessage(error)}</ErrorState>
        ) : (
          <Skeleton className="h-24" />
        )}
        {warning.dialog}
      </SideSheet>
    </>
  )
}

function QuestionOfResult({
  uploadId,
  question,
  draft,
  onAsked,
}: {
  uploadId: string
  question: Conversation | undefined
  draft: Draft
  onAsked: () => Promise<unknown>
}) {
  const [ask] = useMutation(ASK_QUESTION)
  useMarkRead(question)
  return (
    <div className="grid gap-4">
      {question ? (
        <>
          <QuestionStatePill state={question.state} isUnread={question.isUnread} />
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
        draft={draft}
        label={question ? 'Mesaj nou' : 'Întrebarea dumneavoastră'}
        submitLabel={question ? 'Trimiteți mesajul' : 'Trimiteți întrebarea'}
        // With messages above it, they are read first.
        autoFocus={!question}
        onSend={async (text) => {
          await ask({ variables: { uploadId, text } })
          if (!question) await onAsked()
        }}
      />
    </div>
  )
}
