import type { ReactNode } from 'react'
import { Button } from '../../ui/base/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

/** A question before something that concerns many files, or cannot be taken back. */
export function Question({
  title,
  children,
  yes,
  no = 'Renunț',
  isDangerous = false,
  other,
  onYes,
  onClose,
}: {
  title: string
  children: ReactNode
  yes: string
  no?: string
  isDangerous?: boolean
  /** A third answer. */
  other?: { label: string; onPress: () => void } | undefined
  onYes: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isDismissable={false}
      isOpen
      onOpenChange={onClose}
      title={title}
      actions={
        <>
          <Button onPress={onClose}>{no}</Button>
          {other && <Button onPress={other.onPress}>{other.label}</Button>}
          <Button variant={isDangerous ? 'danger' : 'primary'} autoFocus onPress={onYes}>
            {yes}
          </Button>
        </>
      }
    >
      <div className="text-muted">{children}</div>
    </Dialog>
  )
}
