import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { Dialog, type DialogProps, SideSheet } from '../ui/dialog.tsx'
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
        <div className="grid gap-5">{form.render(props.children)}</div>
      </Frame>
      {form.dialog}
    </>
  )
}
