import type { FormKitNode } from '@formkit/core'
import { cloneAny } from '@formkit/utils'
import { type ReactNode, useId, useRef, useState } from 'react'
import { errorCode } from '../api/client-error.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { Dialog, type DialogProps, SideSheet } from '../ui/dialog.tsx'
import { useLeaveWarning } from '../ui/leave-warning.tsx'
import { changedFields, mergeChanges } from './changes.ts'
import { Form, FormAlert } from './form.tsx'

export interface FormSheetProps<Values extends object> {
  title: string
  saveLabel: string
  variant?: ButtonProps['variant']
  /** What is stored; the form asks before anything else that stands in it is lost. */
  stored: Values
  /** What stands in the form at first, where that is more than what is stored. */
  start?: Values | undefined
  /** Rejects with the server's refusal. `release` before going elsewhere: what was typed is saved. */
  onSave: (values: Values, release: () => void) => Promise<unknown>
  /** What is stored by now, after somebody else has saved. */
  onReload?: (() => Promise<Values>) | undefined
  onClose: () => void
  /** Nothing can be saved as it stands; the form says why. */
  isBlocked?: boolean | undefined
  size?: DialogProps['size']
  role?: DialogProps['role']
  /** Over what went wrong; without it „Nu s-a salvat”. */
  failureTitle?: string | undefined
  className?: string | undefined
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

/**
 * What a form that is saved needs around it: its buttons, the server's sentences under their fields, the warning before
 * typed work is lost, and what to do where somebody else has saved in the meantime.
 */
function FormFrame<Values extends object>({
  Frame,
  ...props
}: FormSheetProps<Values> & { Frame: typeof Dialog | typeof SideSheet }) {
  const formId = useId()
  const form = useRef<FormKitNode>(null)
  const [stored, setStored] = useState(props.stored)
  const [start] = useState(props.start ?? props.stored)
  const [values, setValues] = useState(start)
  const [isPending, setPending] = useState(false)
  /** The labels of the fields that both have changed, after somebody else has saved. */
  const [conflict, setConflict] = useState<readonly string[] | null>(null)
  const warning = useLeaveWarning(changedFields(stored, values).length > 0)
  // What is under way is neither saved nor lost yet.
  const close = () => isPending || warning.leave(props.onClose)

  const takeTheirs = async (reload: () => Promise<Values>) => {
    const theirs = await reload()
    const node = form.current
    await node?.settled
    // Closed in the meantime.
    if (!node?.context) return
    // What stands there by now: somebody may have gone on typing while it was sent.
    const mine = { ...(node.props.initial as Values), ...(node.value as Values) }
    const merged = mergeChanges(stored, mine, theirs)
    setStored(theirs)
    setConflict(merged.both.map((name) => node.at(name)?.props.label ?? name))
    node.props.initial = cloneAny(theirs)
    await node.input(cloneAny(merged.values), false)
  }

  const save = async (mine: Values) => {
    setPending(true)
    setConflict(null)
    try {
      await props.onSave(mine, warning.release)
    } catch (error) {
      if (errorCode(error) !== 'CONFLICT' || !props.onReload) throw error
      await takeTheirs(props.onReload)
    } finally {
      setPending(false)
    }
  }

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
            <Button onPress={close} isDisabled={isPending}>
              Anulează
            </Button>
            <Button
              variant={props.variant ?? 'primary'}
              type="submit"
              form={formId}
              isPending={isPending}
              isDisabled={props.isBlocked ?? false}
            >
              {props.saveLabel}
            </Button>
          </>
        }
      >
        <div className="grid gap-5">
          {conflict && (
            <FormAlert tone="warning" title="Altcineva a salvat între timp">
              {explainConflict(conflict)}
            </FormAlert>
          )}
          <Form
            id={formId}
            start={start}
            onSubmit={save}
            onChange={setValues}
            onNode={(node) => {
              form.current = node
            }}
            className={props.className}
            failureTitle={props.failureTitle}
          >
            {typeof props.children === 'function' ? props.children(warning.release) : props.children}
          </Form>
        </div>
      </Frame>
      {warning.dialog}
    </>
  )
}

function explainConflict(both: readonly string[]): string {
  const names = new Intl.ListFormat('ro').format(both.map((name) => `„${name}”`))
  return names
    ? `Ce ai scris a rămas; în rest sunt valorile noi. Amândoi ați schimbat ${names}: dacă salvezi, rămâne varianta ta.`
    : 'Ce ai scris a rămas; în rest sunt valorile noi. Verifică și salvează din nou.'
}
