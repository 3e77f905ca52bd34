import { type ReactNode, useContext, useState } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '../../ui/base/button.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import type { PreviewControls } from './preview-controls.ts'
import { ToolbarPlace } from './toolbar-place.ts'

interface Props {
  /** From 1; both are null for files without pages. */
  page: number | null
  pageCount: number | null
  zoomText: string
  isFit: boolean
  controls: PreviewControls
}

/** The toolbar of a preview: pages on the left, zoom on the right; or its buttons in the toolbar of the screen. */
export function PreviewToolbar(props: Props) {
  const place = useContext(ToolbarPlace)
  if (place === null) return null
  if (place) return createPortal(<PlacedButtons {...props} />, place)
  return (
    <Bar className="flex-wrap justify-between border-b border-line bg-surface px-1.5 py-0.5">
      <PageButtons {...props} />
      <span className="flex items-center">
        <ZoomButtons {...props} />
      </span>
    </Bar>
  )
}

/** On a phone two fingers zoom, and the buttons have no room. */
function PlacedButtons(props: Props) {
  return (
    <Bar>
      <PageButtons {...props} buttonClass="max-sm:hidden" />
      <span className="flex items-center max-sm:hidden">
        <ZoomButtons {...props} />
        <IconButton icon="redo" label="Rotește" onPress={() => props.controls.rotate()} />
        <PrintButton {...props} />
      </span>
    </Bar>
  )
}

function PageButtons({ page, pageCount, controls, buttonClass }: Props & { buttonClass?: string }) {
  if (page === null || pageCount === null || pageCount <= 1)
    return <span className="px-2 text-sm text-muted">{pageCount === 1 ? 'O pagină' : null}</span>
  return (
    <span className="flex items-center">
      <IconButton
        icon="chevron-up"
        label="Pagina anterioară"
        className={buttonClass}
        isDisabled={page <= 1}
        onPress={() => controls.turnPage(-1)}
      />
      <IconButton
        icon="chevron-down"
        label="Pagina următoare"
        className={buttonClass}
        isDisabled={page >= pageCount}
        onPress={() => controls.turnPage(1)}
      />
      <span className="px-2 text-sm whitespace-nowrap text-muted tabular-nums" aria-live="polite">
        <span className="max-sm:sr-only">Pagina </span>
        {page} din {pageCount}
      </span>
    </span>
  )
}

function ZoomButtons({ zoomText, isFit, controls }: Props) {
  return (
    <>
      <IconButton icon="zoom-out" label="Micșorează" onPress={() => controls.zoom('out')} />
      <span className="min-w-12 text-center text-sm text-muted tabular-nums max-sm:sr-only">{zoomText}</span>
      <IconButton icon="zoom-in" label="Mărește" onPress={() => controls.zoom('in')} />
      <IconButton
        icon="maximize"
        label="Încadrează"
        isDisabled={isFit}
        onPress={() => controls.zoom('fit')}
      />
    </>
  )
}

function PrintButton({ controls }: Props) {
  const [isPending, setPending] = useState(false)
  const print = async () => {
    setPending(true)
    try {
      await controls.print()
    } catch {
      showToast({
        tone: 'error',
        title: 'Documentul nu a putut fi tipărit de aici',
        description: 'După descărcare se poate tipări cu alt program.',
      })
    }
    setPending(false)
  }
  return <IconButton icon="printer" label="Tipărește" isPending={isPending} onPress={() => void print()} />
}

function Bar({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      role="toolbar"
      aria-label="Document"
      className={`flex shrink-0 items-center gap-2 print:hidden ${className ?? ''}`}
    >
      {children}
    </div>
  )
}
