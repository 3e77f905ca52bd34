import { useRef, useState } from 'react'
import { isSameText } from './match-options.ts'
import type { Option } from './option.ts'

/** Makes an option of a text; rejects with what refused it. */
export type CreateOption<Id extends string = string> = (text: string) => Promise<Option<Id>>

/** The last line of a list: „Adaugă „text””, where nothing of that name is there. */
export function useNewOption<Id extends string>({
  question,
  isThere,
  onCreate,
  verb,
  describeRefusal,
  onCreated,
}: {
  question: string
  isThere: readonly Option<Id>[]
  onCreate: CreateOption<Id> | undefined
  /** `Adaugă`, or `Folosește` where nothing is made. */
  verb: string
  describeRefusal: ((error: unknown) => string) | undefined
  onCreated: (option: Option<Id>) => void
}) {
  const [isUnderWay, setUnderWay] = useState(false)
  const [rejection, setRefusal] = useState<string | null>(null)
  // What is chosen may have changed by the time it is made.
  const latest = useRef(onCreated)
  latest.current = onCreated
  const isNew = question !== '' && !isThere.some(({ label }) => isSameText(label, question))

  const create = async () => {
    if (!onCreate || isUnderWay) return
    setUnderWay(true)
    setRefusal(null)
    try {
      const option = await onCreate(question)
      latest.current(option)
    } catch (error) {
      setRefusal(`„${question}” nu s-a adăugat. ${describeRefusal?.(error) ?? ''}`.trim())
    } finally {
      setUnderWay(false)
    }
  }
  return {
    line:
      onCreate && isNew
        ? {
            label: isUnderWay ? `Se adaugă „${question}”…` : `${verb} „${question}”`,
            icon: 'plus' as const,
          }
        : null,
    refusal: rejection,
    forgetRefusal: () => setRefusal(null),
    create: () => void create(),
  }
}
