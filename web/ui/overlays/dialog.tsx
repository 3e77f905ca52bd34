import { type ReactNode, useEffect, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { createPortal } from 'react-dom'
import { IconButton } from '../base/button.tsx'
import { classNames } from '../base/class-names.ts'

export interface DialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  children: ReactNode
  /**
   * The buttons at the bottom, the main button last. A submit button outside the form refers to the form with
   * `form="id"`.
   */
  actions?: ReactNode
  size?: 'sm' | 'md' | 'lg' | undefined
  /** Whether a click outside closes the dialog; false where work could be lost. */
  isDismissable?: boolean | undefined
  /** The dialog shows something only once or needs a decision: only its own buttons close it. */
  closesOnlyByActions?: boolean | undefined
  /** `alertdialog` for a warning that needs a decision. */
  role?: 'dialog' | 'alertdialog' | undefined
}

/** The layer between the page and a dialog. */
export const scrim =
  'layer-modal fixed inset-0 h-(--visual-viewport-height) bg-scrim transition-opacity data-entering:opacity-0 data-exiting:opacity-0'

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-xl', lg: 'sm:max-w-3xl' }

/** A dialog in the middle of the page; on a phone, at the bottom of the screen. */
export function Dialog({
  size = 'md',
  isDismissable = true,
  closesOnlyByActions = false,
  ...props
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen={props.isOpen}
      onOpenChange={props.onOpenChange}
      isDismissable={isDismissable && !closesOnlyByActions}
      isKeyboardDismissDisabled={closesOnlyByActions}
      className={classNames(scrim, 'flex items-end justify-center sm:items-center sm:p-6')}
    >
      <Modal
        className={classNames(
          'flex max-h-[92%] w-full flex-col rounded-t-xl border border-line bg-raised shadow-modal transition-[translate] data-entering:translate-y-4 data-exiting:translate-y-4 sm:max-h-full sm:rounded-xl',
          widths[size],
        )}
      >
        <DialogBody {...props} closesOnlyByActions={closesOnlyByActions} />
      </Modal>
    </ModalOverlay>
  )
}

/**
 * A dialog at the side of the page with full height, for details or a longer form; on a phone, full screen.
 */
export function SideSheet({
  isDismissable = true,
  closesOnlyByActions = false,
  ...props
}: Omit<DialogProps, 'size'>) {
  return (
    <ModalOverlay
      isOpen={props.isOpen}
      onOpenChange={props.onOpenChange}
      isDismissable={isDismissable && !closesOnlyByActions}
      isKeyboardDismissDisabled={closesOnlyByActions}
      className={classNames(scrim, 'flex justify-end')}
    >
      <Modal className="flex h-full w-full flex-col border-l border-line bg-raised shadow-modal transition-[translate] data-entering:translate-x-8 data-exiting:translate-x-8 sm:max-w-lg">
        <DialogBody {...props} closesOnlyByActions={closesOnlyByActions} />
      </Modal>
    </ModalOverlay>
  )
}

/** A dialog that fills the screen, with a header of its own, in which a `DialogTitle` names it. */
export function FullScreenDialog({
  isOpen,
  onOpenChange,
  children,
}: Pick<DialogProps, 'isOpen' | 'onOpenChange' | 'children'>) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      className="layer-modal fixed inset-0 h-dvh bg-canvas"
    >
      <Modal className="h-full">
        <AriaDialog className="flex h-full outline-none">{children}</AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

export function DialogTitle({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <Heading slot="title" {...(className ? { className } : {})}>
      {children}
    </Heading>
  )
}

/** Whether a sheet fits beside a document. */
const isWide = () => matchMedia('(width >= 80rem)').matches

/**
 * A sheet beside the document that one copies from: on a page of 1280 px or more it covers only the column beside it, which
 * has `data-beside`, and the document stays usable. On a narrower page it is a `SideSheet`.
 */
export function BesideSheet(props: Omit<DialogProps, 'size'>) {
  // As it was opened: another frame would begin the form again.
  const [isBeside] = useState(isWide)
  return isBeside ? <OpenBeside {...props} /> : <SideSheet {...props} />
}

function OpenBeside(props: Omit<DialogProps, 'size'>) {
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    const covered = [...document.querySelectorAll<HTMLElement>('[data-beside]')]
    for (const element of covered) element.inert = true
    return () => {
      for (const element of covered) element.inert = false
      requestAnimationFrame(() => restoreFocus(before))
    }
  }, [before])
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the dialog inside
    <div
      className="layer-bar fixed inset-y-0 right-0 flex w-[27rem] max-w-full flex-col border-l border-line bg-raised"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        props.onOpenChange(false)
      }}
    >
      <DialogBody {...props} />
    </div>,
    document.body,
  )
}

/** Gives the focus back to the element that had it, if nothing else has it. */
function restoreFocus(element: Element | null) {
  if (document.activeElement === document.body && element instanceof HTMLElement) element.focus()
}

function DialogBody({
  title,
  children,
  actions,
  onOpenChange,
  closesOnlyByActions,
  role = 'dialog',
}: Omit<DialogProps, 'size'>) {
  return (
    <AriaDialog role={role} className="flex min-h-0 flex-1 flex-col outline-none">
      <div className="flex items-start justify-between gap-4 py-3 pr-3 pl-5 sm:pl-6">
        <Heading slot="title" className="min-w-0 py-2 text-lg font-semibold">
          {title}
        </Heading>
        {!closesOnlyByActions && (
          <IconButton icon="close" label="Închide" onPress={() => onOpenChange(false)} />
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5 sm:px-6">{children}</div>
      {actions && (
        <div className="dialog-actions flex flex-col-reverse gap-2 border-t border-line px-5 py-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:flex-row sm:flex-wrap sm:justify-end sm:px-6">
          {actions}
        </div>
      )}
    </AriaDialog>
  )
}
