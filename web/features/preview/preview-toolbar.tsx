import type { ReactNode } from 'react'
import { IconButton } from '../../ui/base/button.tsx'
import type { PreviewControls } from './preview-controls.ts'

/** The toolbar of a preview: pages on the left, zoom on the right. */
export function PreviewToolbar({
  page,
  pageCount,
  zoomText,
  isFit,
  controls,
}: {
  /** From 1; both are null for files without pages. */
  page: number | null
  pageCount: number | null
  zoomText: string
  isFit: boolean
  controls: PreviewControls
}) {
  const hasPages = page !== null && pageCount !== null && pageCount > 1
  return (
    <Bar label="Document">
      {hasPages ? (
        <span className="flex items-center">
          <IconButton
            icon="chevron-up"
            label="Pagina anterioară"
            isDisabled={page <= 1}
            onPress={() => controls.turnPage(-1)}
          />
          <IconButton
            icon="chevron-down"
            label="Pagina următoare"
            isDisabled={page >= pageCount}
            onPress={() => controls.turnPage(1)}
          />
          <span className="px-2 text-sm whitespace-nowrap text-muted tabular-nums" aria-live="polite">
            <span className="max-sm:sr-only">Pagina </span>
            {page} din {pageCount}
          </span>
        </span>
      ) : (
        <span className="px-2 text-sm text-muted">{pageCount === 1 ? 'O pagină' : null}</span>
      )}
      <span className="flex items-center">
        <IconButton icon="zoom-out" label="Micșorează" onPress={() => controls.zoom('out')} />
        <span className="min-w-12 text-center text-sm text-muted tabular-nums max-sm:sr-only">
          {zoomText}
        </span>
        <IconButton icon="zoom-in" label="Mărește" onPress={() => controls.zoom('in')} />
        <IconButton
          icon="maximize"
          label="Încadrează"
          isDisabled={isFit}
          onPress={() => controls.zoom('fit')}
        />
      </span>
    </Bar>
  )
}

function Bar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="flex shrink-0 items-center justify-between gap-2 border-b border-line bg-surface px-1.5 py-0.5 print:hidden"
    >
      {children}
    </div>
  )
}
