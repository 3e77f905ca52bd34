import { Kbd } from '../base/kbd.tsx'
import { Dialog } from './dialog.tsx'

export type Shortcut = {
  /** The keys as the dialog shows them. */
  labels: readonly string[]
  description: string
}

/** Lists the keys of a screen. */
export function ShortcutsDialog({
  shortcuts,
  note,
  isOpen,
  onClose,
}: {
  shortcuts: readonly Shortcut[]
  /** When the keys do not work. */
  note: string
  isOpen: boolean
  onClose: () => void
}) {
  return (
    <Dialog title="Taste" size="sm" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <dl className="divide-y divide-line text-sm">
        {shortcuts.map(({ labels, description }) => (
          <div key={description} className="flex items-center justify-between gap-4 py-1.5">
            <dt>{description}</dt>
            <dd className="flex shrink-0 gap-1">
              {labels.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">{note}</p>
    </Dialog>
  )
}
