import { useEffect, useRef, useState } from 'react'
import { FullScreenDialog } from '../../../ui/overlays/dialog.tsx'
import type { PreviewControls } from '../../preview/preview-controls.ts'
import { ResultAside } from './result-aside.tsx'
import type { MarkCommand } from './result-mark.tsx'
import { ResultView } from './result-view.tsx'
import { type ShownResults, useOrderOf } from './shown-results.ts'
import { type ResultCommand, useResultKeys } from './use-result-keys.ts'

/**
 * Shows a result on the whole screen, on a wide one beside the list from which it was opened; keys and buttons lead to the
 * next result of that list. When it closes, the row of the last result has the focus.
 */
export function ResultDialog({
  id,
  onOpen,
  onClose,
}: {
  id: string
  /** Opens another result in its place. */
  onOpen: (id: string) => void
  onClose: () => void
}) {
  const order = useOrderOf(id)
  const place = order?.results.findIndex((result) => result.id === id) ?? -1
  const [previous, next] = place < 0 ? [] : [order?.results[place - 1], order?.results[place + 1]]
  const [lostIds, setLostIds] = useState<ReadonlySet<string>>(new Set())
  const controls = useRef<PreviewControls>(null)
  const content = useRef<HTMLDivElement>(null)
  /** Marks the open result; null while it loads. */
  const marks = useRef<((command: MarkCommand) => void) | null>(null)

  useLoadAhead(order, place)
  const run = (command: ResultCommand) => {
    if (command === 'next') return next && onOpen(next.id)
    if (command === 'previous') return previous && onOpen(previous.id)
    if (command === 'handle' || command === 'take' || command === 'undo') return marks.current?.(command)
    const direction = command.endsWith('down') ? 1 : -1
    controls.current?.scroll(direction, command.startsWith('screen') ? 'screen' : 'line')
  }
  useResultKeys(content, run)
  useFocusOfRow(id)
  // The document that had the focus is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each result
  useEffect(() => {
    const dialog = content.current?.closest<HTMLElement>('[role=dialog]')
    if (dialog && !dialog.contains(document.activeElement)) dialog.focus()
  }, [id])

  return (
    <FullScreenDialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <div ref={content} className="flex min-w-0 flex-1 flex-col pb-[env(safe-area-inset-bottom)]">
        <ResultView
          id={id}
          controls={controls}
          marks={marks}
          position={
            order && place >= 0 ? { place, count: order.results.length, isCut: order.more.hasMore } : null
          }
          onLost={() => setLostIds((ids) => new Set([...ids, id]))}
          onPrevious={previous && (() => onOpen(previous.id))}
          onNext={next && (() => onOpen(next.id))}
          onClose={onClose}
        />
      </div>
      {/* After the document, to which Tab leads first. */}
      {order && <ResultAside order={order} id={id} lostIds={lostIds} onOpen={onOpen} />}
    </FullScreenDialog>
  )
}

/** Loads more of the list once when its last row is open, so that the next result is there when it is asked for. */
function useLoadAhead(order: ShownResults | null, place: number): void {
  const asked = useRef(0)
  useEffect(() => {
    if (!order?.more.hasMore || place !== order.results.length - 1) return
    if (asked.current === order.results.length) return
    asked.current = order.results.length
    order.more.onLoadMore()
  }, [order, place])
}

/** Focuses the row of the last result that was open, which may be another than the one that was pressed. */
function useFocusOfRow(id: string): void {
  const last = useRef(id)
  last.current = id
  useEffect(
    () => () => {
      // After React Aria has focused the row that was pressed.
      requestAnimationFrame(() => {
        const row = `[data-result="${CSS.escape(last.current)}"]`
        // The link in a row of the inbox, or a row that is a link.
        document.querySelector<HTMLElement>(`${row} .row-link, a${row}`)?.focus()
      })
    },
    [],
  )
}
