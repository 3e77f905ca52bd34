import { useEffect, useRef, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'

/**
 * The chosen rows of a list; a range is chosen from the row that was chosen last. A row that leaves a list which is loaded is not
 * chosen any more, also when it comes back.
 */
export function useSelection(shownIds: readonly string[], isLoaded: boolean) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string | null>(null)
  // A row that has left the list is not marked or downloaded unseen.
  const ids = shownIds.filter((id) => chosen.has(id))
  const hasLeft = isLoaded && ids.length < chosen.size
  useEffect(() => {
    if (hasLeft) setChosen(new Set(ids))
  })

  const toggle = (id: string, isRange: boolean) => {
    const from = isRange && anchor.current ? shownIds.indexOf(anchor.current) : -1
    const to = shownIds.indexOf(id)
    const isChosen = ids.includes(id)
    const range = from < 0 ? [id] : shownIds.slice(Math.min(from, to), Math.max(from, to) + 1)
    anchor.current = id
    setChosen((before) => {
      const next = new Set(before)
      for (const each of range) {
        if (isChosen && from < 0) next.delete(each)
        else next.add(each)
      }
      return next
    })
  }
  return {
    ids,
    has: (id: string) => chosen.has(id),
    toggle,
    setAll: (areChosen: boolean) => setChosen(new Set(areChosen ? shownIds : [])),
    isTooLarge: ids.length > LIMITS.inboxSelection,
  }
}
export type Selection = ReturnType<typeof useSelection>
