import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button, type ButtonProps } from '../../ui/base/button.tsx'
import { Dialog, type DialogProps, SideSheet } from '../../ui/overlays/dialog.tsx'
import { type SavedFormProps, useSavedForm } from './use-saved-form.tsx'

export interface FormSheetProps<Values extends object> extends SavedFormProps<Values> {
  title: string
  saveLabel: string
  variant?: ButtonProps['variant']
  onClose: () => void
  /** Nothing can be saved as it stands; the form says why. */
  isBlocked?: boolean | undefined
  size?: DialogProps['size']
  role?: DialogProps['role']
  /** The fields; as a function where one of them leads elsewhere and has to `release` the form before. */
  children: ReactNode | ((release: () => void) => ReactNode)
}

/** A form at the side of the page. Mounted while it is open. */
export function FormSheet<Values extends object>(props: FormSheetProps<Values>) {
  return <FormFrame {...props} Frame={SideSheet} />
}

/** A short form in the middle of the page. Mounted while it is open. */
export function FormDialog<Values extends object>(props: FormSheetProps<Values>) {
  return <FormFrame {...props} Frame={Dialog} />
}

/** The buttons around the form. */
function FormFrame<Values extends object>({
  Frame,
  ...props
}: FormSheetProps<Values> & { Frame: typeof Dialog | typeof SideSheet }) {
  const form = useSavedForm(props)
  const { fields, button } = useStableFields(form.isPending)
  // What is under way is neither saved nor lost yet.
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
        <div ref={fields} inert={form.isPending} className="grid gap-5 transition-opacity inert:opacity-60">
          {form.render(props.children)}
        </div>
      </Frame>
      {form.dialog}
    </>
  )
}

/**
 * While the form is sent, its fields stand still: it closes once it is saved, and what was typed meanwhile would be lost. The
 * keyboard waits on the button and goes back to where it was if the form stays.
 */
function useStableFields(isStill: boolean) {
  const fields = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const left = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const active = document.activeElement as HTMLElement
    if (isStill && fields.current?.contains(active)) {
      left.current = active
      button.current?.focus()
    }
    if (isStill) return
    // A click into what stood still has left it nowhere, or on the dialog around.
    if (active === button.current || active.contains(fields.current)) left.current?.focus()
    left.current = null
  }, [isStill])
  return { fields, button }
}
