import { useRef, useState } from 'react'
import { isSameText } from './match-options.ts'
import type { Option } from './option.ts'

/** Creates an option from a text; rejects with the server's error. */
export type CreateOption<Id extends string = string> = (text: string) => Promise<Option<Id>>

/** Returns the last row of a list („Adaugă „text””), or null if an option of this name exists. */
export function useNewOption<Id extends string>({
  query,
  existing,
  onCreate,
  verb,
  describeError,
  onCreated,
}: {
  query: string
  existing: readonly Option<Id>[]
  onCreate: CreateOption<Id> | undefined
  /** `Adaugă`, or `Folosește` if the text is accepted without creating an option. */
  verb: string
  describeError: ((error: unknown) => string) | undefined
  onCreated: (option: Option<Id>) => void
}) {
  const [isPending, setPending] = useState(false)
  const [creationError, setCreationError] = useState<string | null>(null)
  // The selection may change until the option is created.
  const latest = useRef(onCreated)
  latest.current = onCreated
  const isNew = query !== '' && !existing.some(({ label }) => isSameText(label, query))

  const create = async () => {
    if (!onCreate || isPending) return
    setPending(true)
    setCreationError(null)
    try {
      const option = await onCreate(query)
      latest.current(option)
    } catch (error) {
      setCreationError(`„${query}” nu s-a adăugat. ${describeError?.(error) ?? ''}`.trim())
    } finally {
      setPending(false)
    }
  }
  return {
    line:
      onCreate && isNew
        ? {
            label: isPending ? `Se adaugă „${query}”…` : `${verb} „${query}”`,
            icon: 'plus' as const,
          }
        : null,
    error: creationError,
    clearError: () => setCreationError(null),
    create: () => void create(),
  }
}
