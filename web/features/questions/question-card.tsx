import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { Card } from '../../ui/base/card.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { CloseButton, MessageForm, MessageList } from './conversation.tsx'
import { QuestionStatePill } from './question-state.tsx'
import { ANSWER_QUESTION, type UploadQuestion } from './questions.queries.ts'

/** A question of an institution about an upload, with the form for the answer. */
export function QuestionCard({ question }: { question: UploadQuestion }) {
  const [text, setText] = useState('')
  const [answer] = useMutation(ANSWER_QUESTION)
  return (
    <Card title="Întrebare" meta={<QuestionStatePill state={question.state} />}>
      <div className="grid gap-4">
        <p className="text-sm break-words text-muted">{question.institutionName}</p>
        {question.upload === null && (
          <Notice tone="danger">
            Întrebarea este de dinainte ca rezultatul să treacă la alt pacient sau la altă instituție.
            Răspunsul ajunge la {question.institutionName}: nu scrie nimic despre pacientul de acum.
          </Notice>
        )}
        <MessageList messages={question.messages} />
        <CloseButton question={question} />
        <MessageForm
          draft={{ text, setText }}
          label="Răspunsul tău"
          submitLabel="Răspunde"
          onSend={(text) => answer({ variables: { id: question.id, text } })}
        />
      </div>
    </Card>
  )
}
