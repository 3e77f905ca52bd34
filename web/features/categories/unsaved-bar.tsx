import { Button } from '../../ui/base/button.tsx'

interface UnsavedBarProps {
  isSaving: boolean
  /** Whether a conflict must be resolved first; the page shows which. */
  isBlocked: boolean
  onSave: () => void
  onDiscard: () => void
}

/** The bar that stays visible while there are unsaved changes. */
export function UnsavedBar({ isSaving, isBlocked, onSave, onDiscard }: UnsavedBarProps) {
  return (
    <section
      aria-label="Modificări nesalvate"
      className="sticky-bar layer-bar sticky bottom-[calc(var(--bottom-bar,0px)+0.75rem)] flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-raised px-4 py-2.5 shadow-raised"
    >
      <p role="status" className="text-sm font-medium">
        Ai modificări nesalvate
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onPress={onDiscard} isDisabled={isSaving}>
          Renunță
        </Button>
        <Button variant="primary" onPress={onSave} isPending={isSaving} isDisabled={isBlocked}>
          Salvează
        </Button>
      </div>
    </section>
  )
}
