import type { FormKitNode } from '@formkit/core'
import { disablesChildren, forms } from '@formkit/inputs'
import { FormKit, FormKitProvider, parentSymbol, useFormKitContext } from '@formkit/react'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { Alert } from '../ui/alert.tsx'
import { classNames } from '../ui/class-names.ts'
import { formKit } from './form-kit.ts'
import { defineInput, type InputProps } from './input.ts'

export interface FormProps<Values extends object> {
  /** A submit button outside the form names it. */
  id: string
  /** What stands in the fields at first. */
  start: Values
  /** Called with what stands in the fields, once at a time and only where no rule refuses it. */
  onSubmit: (values: Values) => Promise<void>
  /** After each change, with what stands in the fields then. */
  onChange?: ((values: Values) => void) | undefined
  /** The form's node, for what only it can do: other values, refusals of the server. */
  onNode?: ((node: FormKitNode) => void) | undefined
  className?: string | undefined
  children: ReactNode
}

interface ElementProps {
  className: string
}

function FormElement({ context, slots }: InputProps<ElementProps, object>) {
  const { node, handlers, id, className } = context
  const messages = Object.values(context.messages).map(({ value }) => String(value))
  return (
    <form
      id={id}
      noValidate
      onSubmit={(event: FormEvent) => {
        // A dialog with a form of its own may lie in this one on the screen, not in the document.
        event.stopPropagation()
        handlers.submit?.(event)
      }}
      className={classNames('formkit-form grid gap-x-4 gap-y-5', className)}
    >
      {messages.length > 0 && (
        <Alert tone="danger" isLive title="Nu s-a salvat" className="col-span-full">
          {messages.join(' ')}
        </Alert>
      )}
      <parentSymbol.Provider value={node}>{slots.default?.()}</parentSymbol.Provider>
    </form>
  )
}

const form = defineInput<ElementProps, object>(FormElement, [], {
  type: 'group',
  features: [forms, disablesChildren],
})

/**
 * A form on FormKit. Submitting with something refused says so [5.4] and puts the keyboard where it is to be mended;
 * submitting again while it is under way does nothing.
 */
export function Form<Values extends object>({
  id,
  start,
  onSubmit,
  onChange,
  onNode,
  className,
  children,
}: FormProps<Values>) {
  const isUnderWay = useRef(false)
  const submit = async (values: object) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    try {
      await onSubmit({ ...start, ...values })
    } finally {
      isUnderWay.current = false
    }
  }
  return (
    <FormKitProvider config={formKit}>
      <FormKit
        type={form as never}
        id={id}
        defaultValue={start}
        // Set by hand: disabling the fields while they are sent would take the focus from them.
        disabled={false}
        className={className}
        onSubmit={submit}
        onSubmitInvalid={() => focusRefused(id)}
        onInput={(values) => onChange?.({ ...start, ...(values as Values) })}
        {...(onNode && { onNode })}
      >
        {children}
      </FormKit>
    </FormKitProvider>
  )
}

/** What stands in the fields of the form around the caller. */
export function useFormValues<Values extends object>(): Partial<Values> {
  return (useFormKitContext()?.value as Partial<Values> | undefined) ?? {}
}

/** The keyboard goes to the first field that is refused, once the refusal is on the screen. */
export function focusRefused(formId: string): void {
  requestAnimationFrame(() => {
    const form = document.getElementById(formId)
    form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus()
  })
}
