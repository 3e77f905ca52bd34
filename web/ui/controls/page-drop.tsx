import { useEffect, useRef, useState } from 'react'
import { collectDroppedFiles, dropItemsOf } from './dropped-files.ts'

interface PageDropProps {
  /** The files that were dropped anywhere on the page; never empty. */
  onFiles: (files: File[]) => void
  /** Shown over the page while files are dragged over it. */
  title: string
  isDisabled: boolean
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** Whether the files are over a dialog, whose page below takes none. */
const isOverDialog = ({ target }: DragEvent): boolean =>
  target instanceof Element && target.closest('.layer-modal, [role=dialog]') !== null

/** Takes files that are dropped anywhere on the page. A drop area within it takes its own. */
export function PageDrop({ onFiles, title, isDisabled }: PageDropProps) {
  const [isOver, setOver] = useState(false)
  const report = useRef(onFiles)
  report.current = onFiles

  useEffect(() => {
    if (isDisabled) return
    const over = (event: DragEvent) => {
      const isTaken = hasFiles(event) && !event.defaultPrevented && !isOverDialog(event)
      setOver(isTaken)
      if (!isTaken) return
      event.preventDefault()
      event.dataTransfer!.dropEffect = 'copy'
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event) || event.defaultPrevented || isOverDialog(event)) return
      event.preventDefault()
      void collectDroppedFiles(dropItemsOf(event.dataTransfer!)).then(
        (files) => files.length > 0 && report.current(files),
      )
    }
    // Between two elements of the page the one that is entered is named.
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const stopped = new AbortController()
    const options = { signal: stopped.signal }
    window.addEventListener('dragenter', over, options)
    window.addEventListener('dragover', over, options)
    window.addEventListener('dragleave', leave, options)
    window.addEventListener('drop', drop, options)
    return () => {
      stopped.abort()
      setOver(false)
    }
  }, [isDisabled])

  if (!isOver) return null
  return (
    <div className="layer-modal pointer-events-none fixed inset-2 flex items-center justify-center rounded-xl border-2 border-dashed border-accent-mark bg-canvas/85 p-6 text-center">
      <p className="rounded-lg bg-accent px-5 py-3 text-lg font-semibold text-on-accent">{title}</p>
    </div>
  )
}
