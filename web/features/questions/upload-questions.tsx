import { Suspense } from 'react'
import { lazyNamed } from '../../ui/base/lazy.ts'
import { useListChanges } from '../site/use-list-changes.ts'
import type { UploadQuestion } from './questions.queries.ts'

// Few uploads have a question, and its form needs a tenth of the scripts of the review.
const QuestionCard = lazyNamed(() => import('./question-card.tsx'), 'QuestionCard')

/** What institutions ask about an upload, for staff to answer; nothing without a question. */
export function UploadQuestions({
  questions,
  onChange,
}: {
  questions: readonly UploadQuestion[]
  /** Called when the questions of any upload have changed. */
  onChange: () => void
}) {
  useListChanges('QUESTIONS', onChange)
  return (
    <Suspense>
      {questions.map((question) => (
        <QuestionCard key={question.id} question={question} />
      ))}
    </Suspense>
  )
}
