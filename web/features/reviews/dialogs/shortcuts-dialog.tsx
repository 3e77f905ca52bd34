import { Kbd } from '../../../ui/base/kbd.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { REVIEW_SHORTCUTS } from '../review-keys.ts'

export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Taste" size="sm" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <dl className="divide-y divide-line text-sm">
        {REVIEW_SHORTCUTS.map(({ command, labels, description }) => (
          <div key={command} className="flex items-center justify-between gap-4 py-1.5">
            <dt>{description}</dt>
            <dd className="flex shrink-0 gap-1">
              {labels.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">Cât timp scrii într-un câmp, tastele scriu.</p>
    </Dialog>
  )
}
