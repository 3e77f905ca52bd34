import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/base/button.tsx'
import { Icon } from '../../../ui/base/icon.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import type { Concern } from './concerns.ts'

type Question = { concerns: readonly Concern[]; answer: (isWanted: boolean) => void }

export type SubmissionQuestion = {
  /** Resolves to the answer; at once for what the user has already agreed to. */
  ask: (concerns: readonly Concern[]) => Promise<boolean>
  dialog: ReactNode
}

/** Asks once whether to submit an upload although its files say something else. Going back is the default. */
export function useSubmissionQuestion(title = 'Trimiți totuși?'): SubmissionQuestion {
  const [question, setQuestion] = useState<Question | null>(null)
  const agreed = useRef(new Set<string>())
  const pending = useRef<Question | null>(null)
  useEffect(() => () => pending.current?.answer(false), [])

  const [ask] = useState(() => (concerns: readonly Concern[]) => {
    if (concerns.every(({ key }) => agreed.current.has(key))) return Promise.resolve(true)
    pending.current?.answer(false)
    return new Promise<boolean>((resolve) => {
      const asked: Question = {
        concerns,
        answer: (isWanted) => {
          if (isWanted) for (const { key } of concerns) agreed.current.add(key)
          pending.current = null
          setQuestion(null)
          resolve(isWanted)
        },
      }
      pending.current = asked
      setQuestion(asked)
    })
  })
  return {
    ask,
    dialog: question && <QuestionDialog title={title} {...question} />,
  }
}

const QuestionDialog = ({ title, concerns, answer }: Question & { title: string }) => (
  <Dialog
    role="alertdialog"
    isDismissable={false}
    isOpen
    onOpenChange={() => answer(false)}
    title={title}
    actions={
      <>
        <Button onPress={() => answer(true)}>Trimite totuși</Button>
        <Button variant="primary" autoFocus onPress={() => answer(false)}>
          Mă întorc la fișiere
        </Button>
      </>
    }
  >
    <ul className="grid gap-3 text-sm">
      {concerns.map(({ key, name, text }) => (
        <li key={key} className="flex gap-2">
          <Icon name="error" size={18} className="mt-px text-danger" />
          <div className="min-w-0">
            <p className="font-medium break-words">{name}</p>
            <p className="break-words text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  </Dialog>
)
