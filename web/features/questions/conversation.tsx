import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { TextArea } from '../../ui/controls/text-field.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { type LeaveWarning, useLeaveWarning } from '../../ui/overlays/leave-warning.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'
import { CLOSE_QUESTION, type Conversation } from './questions.queries.ts'

type Message = Conversation['messages'][number]

/** The messages of a question, in order. New ones are announced to screen readers. */
export function MessageList({ messages }: { messages: readonly Message[] }) {
  return (
    <div role="log" aria-label="Mesaje">
      <ol className="grid gap-3">
        {messages.map((message) => (
          <li
            key={message.position}
            className={classNames(
              'max-w-prose rounded-lg border border-line px-3.5 py-2.5',
              message.byOrganisation ? 'bg-accent-soft' : 'bg-sunken',
            )}
          >
            <p className="flex flex-wrap gap-x-2 text-sm text-muted">
              <span className="font-medium break-words text-ink">{authorOf(message)}</span>
              <time dateTime={message.createdAt}>{formatDateTime(message.createdAt)}</time>
            </p>
            <p className="mt-1 break-words whitespace-pre-wrap">{message.text}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}

function authorOf({ byOrganisation, authorName, isOwn }: Message): string {
  if (byOrganisation) return authorName ? `Centrul, ${authorName}` : 'Centrul'
  const name = authorName ?? 'Un fost coleg'
  return isOwn ? `${name} (dumneavoastră)` : name
}

export type Draft = { text: string; setText: (text: string) => void }

/** Returns a message that is being written, and the question before it is lost by closing the dialog. */
export function useGuardedDraft(): { draft: Draft; warning: LeaveWarning } {
  const [text, setText] = useState('')
  return { draft: { text, setText }, warning: useLeaveWarning(() => text.trim() !== '') }
}

/** Writes a message; the text stays in the field until the server has it. */
export function MessageForm({
  draft: { text, setText },
  label,
  submitLabel,
  autoFocus = false,
  onSend,
}: {
  draft: Draft
  label: string
  submitLabel: string
  autoFocus?: boolean
  onSend: (text: string) => Promise<unknown>
}) {
  const attempt = useAsyncAction()
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') return
        void attempt.run(async () => {
          await onSend(text)
          setText('')
        })
      }}
    >
      <FailureNotice>{attempt.message}</FailureNotice>
      <TextArea
        label={label}
        rows={3}
        autoFocus={autoFocus}
        value={text}
        onChange={setText}
        maxLength={LIMITS.questionText}
        isReadOnly={attempt.isPending}
      />
      <Button
        type="submit"
        icon="paper-plane"
        isPending={attempt.isPending}
        isDisabled={text.trim() === ''}
        className="justify-self-start"
      >
        {submitLabel}
      </Button>
    </form>
  )
}

/** Closes a question that was answered or needs no answer. */
export function CloseButton({
  question,
  canWrite = true,
}: {
  question: Conversation
  /** Whether a form for another message follows. */
  canWrite?: boolean
}) {
  const [close] = useMutation(CLOSE_QUESTION)
  const attempt = useAsyncAction()
  const isFormal = useUser().role === 'institution'
  if (question.state === 'closed') {
    return (
      <p className="text-sm text-muted">
        Întrebarea este închisă.
        {canWrite &&
          (isFormal ? ' Un mesaj nou o deschide din nou.' : ' Un răspuns nou ajunge totuși la instituție.')}
      </p>
    )
  }
  return (
    <div className="grid gap-2">
      <FailureNotice>{attempt.message}</FailureNotice>
      <Button
        variant="quiet"
        icon="check"
        className="justify-self-start"
        isPending={attempt.isPending}
        onPress={() =>
          void attempt.run(() => close({ variables: { id: question.id, version: question.version } }))
        }
      >
        Închide întrebarea
      </Button>
    </div>
  )
}
