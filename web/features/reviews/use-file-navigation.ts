import { useState } from 'react'
import type { Upload } from './upload.queries.ts'

/** Keeps the selected file, and the ids of the files that have been shown. */
export function useFileNavigation({ files }: Upload) {
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const [shownIds, setShownIds] = useState<ReadonlySet<string>>(new Set())
  const selected = files.find(({ id }) => id === selectedId) ?? files[0]
  return {
    selected,
    shownIds,
    select: setSelectedId,
    step: (by: 1 | -1) => {
      const next = files[files.findIndex(({ id }) => id === selected?.id) + by]
      if (next) setSelectedId(next.id)
    },
    onShown: () => {
      if (selected) setShownIds((ids) => new Set([...ids, selected.id]))
    },
  }
}
