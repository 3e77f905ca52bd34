import { type RefObject, useEffect } from 'react'
import { IconButton } from '../../../ui/base/button.tsx'
import type { Result } from '../inbox.queries.ts'
import { undoOf, useMarks } from '../use-marks.ts'

export type MarkCommand = 'handle' | 'take' | 'undo'

/** Marks the open result for all colleagues, as the keys of the list do; `marks` gets what the keys call. */
export function ResultMark({
  result,
  marks,
}: {
  result: Result
  marks: RefObject<((command: MarkCommand) => void) | null>
}) {
  // The list behind reads itself again, as for a colleague's mark.
  const { mark } = useMarks(() => undefined)
  const run = (command: MarkCommand) => {
    if (command !== 'undo') return void mark([result.id], command)
    const undo = undoOf([result])
    if (undo) void mark(undo.ids, undo.kind)
  }
  useEffect(() => {
    marks.current = run
    return () => {
      marks.current = null
    }
  })
  const isHandled = result.inbox?.state === 'handled'
  return isHandled ? (
    <IconButton icon="history" label="Redeschide (U)" onPress={() => run('undo')} />
  ) : (
    <IconButton icon="check" label="Marchează rezolvat (E)" onPress={() => run('handle')} />
  )
}
