import { useState } from 'react'
import type { BatchGroup } from './batches.queries.ts'
import { isFiled } from './group-facts.ts'

/** The row on which the keys act: it stays with its group while rows come and go around it. */
export function useCursor(groups: readonly BatchGroup[] | null) {
  const [cursor, setCursor] = useState<{ id: string; index: number } | null>(null)
  const ids = groups?.map(({ upload }) => upload.id) ?? []
  const place = cursor ? ids.indexOf(cursor.id) : 0
  // A row that has left the list gives its place to the one that has moved up.
  const index = place >= 0 ? place : Math.min(cursor!.index, ids.length - 1)
  const id = ids[index] ?? null
  if (cursor && id !== null && (id !== cursor.id || index !== cursor.index)) setCursor({ id, index })
  return {
    id,
    group: groups?.[index] ?? null,
    set: (next: string) => setCursor({ id: next, index: ids.indexOf(next) }),
    /** The id of the row so many rows further, or of the first or last. */
    step: (by: number): string | null => ids[Math.min(ids.length - 1, Math.max(0, index + by))] ?? null,
    /** The id of the next row that is not filed; of the row itself if it is the last one. */
    nextOpen: (): string | null => groups?.slice(index + 1).find((group) => !isFiled(group))?.upload.id ?? id,
  }
}
