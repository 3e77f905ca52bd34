import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button, type ButtonProps } from '../../ui/base/button.tsx'
import { BesideSheet, Dialog, type DialogProps, SideSheet } from '../../ui/overlays/dialog.tsx'
import { type SavedFormProps, useSavedForm } from './use-saved-form.tsx'

export interface FormSheetProps<Values extends object> extends SavedFormProps<Values> {
  title: string
  saveLabel: string
  variant?: ButtonProps['variant']
  onClose: () => void
  /** Whether saving is impossible in this state; the form shows the reason. */
  isBlocked?: boolean | undefined
  size?: DialogProps['size']
  role?: DialogProps['role']
  /** The fields; a function if a field opens another screen and must `release` the form first. */
  children: ReactNode | ((release: () => void) => ReactNode)
}

/** A form in a side sheet. Mounted while it is open. */
export function FormSheet<Values extends object>(props: FormSheetProps<Values>) {
  return <FormFrame {...props} Frame={SideSheet} />
}

/** A form beside the document that one copies from, which stays usable. Mounted while it is open. */
export function BesideFormSheet<Values extends object>(props: FormSheetProps<Values>) {
  return <FormFrame {...props} Frame={BesideSheet} />
}

/** A short form in a dialog. Mounted while it is open. */
export function FormDialog<Values extends object>(props: FormSheetProps<Values>) {
  return <FormFrame {...props} Frame={Dialog} />
}

/** A form with its frame and its buttons. */
function FormFrame<Values extends object>({
  Frame,
  ...props
}: FormSheetProps<Values> & { Frame: typeof Dialog | typeof SideSheet | typeof BesideSheet }) {
  const form = useSavedForm(props)
  const { fields, button } = useStableFields(form.isPending)
  // While saving, the sheet cannot be closed.
  const close = () => form.isPending || form.leave(props.onClose)

  return (
    <>
      <Frame
        isOpen
        onOpenChange={close}
        isDismissable={false}
        title={props.title}
        role={props.role}
        {...(Frame === Dialog && { size: props.size })}
        actions={
          <>
            <Button onPress={close} isDisabled={form.isPending}>
              Anulează
            </Button>
            <Button
              ref={button}
              variant={props.variant ?? 'primary'}
              type="submit"
              form={form.id}
              isPending={form.isPending}
              isDisabled={props.isBlocked ?? false}
            >
              {props.saveLabel}
            </Button>
          </>
        }
      >
        <div
          ref={fields}
          inert={form.isPending}
          className="grid gap-5 transition-opacity [&[inert]]:opacity-60"
        >
          {form.render(props.children)}
        </div>
      </Frame>
      {form.dialog}
    </>
  )
}

/**
 * Makes the fields inert while the form is submitted, because changes made then would be lost when the form
 * closes. The focus moves to the button, and back to the field if the form stays open.
 */
function useStableFields(isPending: boolean) {
  const fields = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const lastFocused = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const active = document.activeElement as HTMLElement
    if (isPending && fields.current?.contains(active)) {
      lastFocused.current = active
      button.current?.focus()
    }
    if (isPending) return
    // A click into the inert fields moved the focus to nothing, or to the dialog.
    if (active === button.current || active.contains(fields.current)) lastFocused.current?.focus()
    lastFocused.current = null
  }, [isPending])
  return { fields, button }
}
