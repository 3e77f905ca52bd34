import type { FormKitNode } from '@formkit/core'
import { forms } from '@formkit/inputs'
import { FormKit, FormKitProvider, parentSymbol, useFormKitContext } from '@formkit/react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { errorMessage, fieldErrors } from '../../api/client-error.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Alert, type AlertProps } from '../../ui/feedback/alert.tsx'
import { formKit } from './form-kit.ts'
import { defineInput, type InputProps } from './input.ts'

export interface FormProps<Values extends object> {
  /** The id, to which a submit button outside the form refers. */
  id: string
  /** The initial values. */
  start: Values
  /**
   * Called with the values if all rules pass, one call at a time. Rejects with the server's error: its field
   * errors are shown under their fields, all others above the form.
   */
  onSubmit: (values: Values) => Promise<unknown>
  /** Called after each change, with the current values. */
  onChange?: ((values: Values) => void) | undefined
  /** Called with FormKit's node of the form. */
  onNode?: ((node: FormKitNode) => void) | undefined
  /** The title of the error message; „Nu s-a salvat” by default. */
  failureTitle?: string | undefined
  className?: string | undefined
  children: ReactNode
}

interface ElementProps {
  className: string
  failureTitle: string
}

/**
 * Submits the form on Ctrl+Enter (⌘+Enter) from any field, also from a textarea. If the form has no submit
 * button, nothing happens, but the controls and the browser do not get the keys either.
 */
function sendWithKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
  // React events also bubble from a dialog that is elsewhere in the document.
  if (!event.currentTarget.contains(event.target as Node)) return
  event.preventDefault()
  event.stopPropagation()
  const buttons = [...event.currentTarget.elements] as HTMLButtonElement[]
  const button = buttons.find(({ type }) => type === 'submit')
  if (!button) return
  // Moves the focus as a click would, so that a typed text becomes a value or is marked invalid.
  flushSync(() => button.focus())
  ;(event.target as HTMLElement).focus()
  setTimeout(() => button.click())
}

/**
 * A message about the form that screen readers announce, scrolled into view if the form is longer than the
 * screen.
 */
export function FormAlert(props: Omit<AlertProps, 'isLive' | 'className'>) {
  const container = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the message changes
  useEffect(() => {
    // Newer browsers return a promise, which React would take for a cleanup function.
    void container.current?.scrollIntoView({ block: 'nearest' })
  }, [props.children])
  return (
    <div ref={container} className="col-span-full">
      <Alert {...props} isLive />
    </div>
  )
}

function FormElement({ context, slots }: InputProps<ElementProps, object>) {
  const { node, handlers, id, className, failureTitle = 'Nu s-a salvat' } = context
  const messages = Object.values(context.messages).map(({ value }) => String(value))
  return (
    <form
      id={id}
      noValidate
      onSubmit={(event: FormEvent) => {
        // In React's tree, a dialog with another form may be inside this form.
        event.stopPropagation()
        handlers.submit?.(event)
      }}
      // In the capture phase, because some controls stop the propagation of keys.
      onKeyDownCapture={sendWithKeys}
      className={classNames('formkit-form grid gap-x-4 gap-y-5', className)}
    >
      {messages.length > 0 && (
        <FormAlert tone="danger" title={failureTitle}>
          {messages.join(' ')}
        </FormAlert>
      )}
      <parentSymbol.Provider value={node}>{slots.default?.()}</parentSymbol.Provider>
    </form>
  )
}

const form = defineInput<ElementProps, object>(FormElement, ['failureTitle'], {
  type: 'group',
  features: [forms],
})

/** Shows the server's errors under the fields that they name; all others above the form. */
function showServerError(node: FormKitNode, error: unknown): void {
  const errors = Object.entries(fieldErrors(error))
  const errorsOfFields = errors.filter(([name]) => node.at(name))
  const others = errors.filter(([name]) => !node.at(name)).map(([, sentence]) => sentence)
  node.setErrors(errors.length > 0 ? others : [errorMessage(error)], Object.fromEntries(errorsOfFields))
  if (errorsOfFields.length > 0) focusFirstError(node.props.id as string)
}

/**
 * A FormKit form. Submitting invalid values shows the errors [5.4] and focuses the first invalid field;
 * submitting twice at the same time sends one request. Fields that are not mounted are submitted with their
 * initial values.
 */
export function Form<Values extends object>(props: FormProps<Values>) {
  const { id, start, onSubmit, onChange, onNode, failureTitle, className, children } = props
  const isSubmitting = useRef(false)
  const complete = (values: unknown, node: FormKitNode) =>
    ({ ...(node.props.initial as object), ...(values as object) }) as Values
  const submit = async (values: object, node: FormKitNode) => {
    if (isSubmitting.current) return
    isSubmitting.current = true
    node.clearErrors(true)
    try {
      await onSubmit(complete(values, node))
    } catch (error) {
      // The form may be closed by now.
      if (node.context) showServerError(node, error)
    }
    isSubmitting.current = false
  }
  return (
    <FormKitProvider config={formKit}>
      {/* A form in a dialog must not become a part of the form below. */}
      <parentSymbol.Provider value={null}>
        <FormKit
          type={form as never}
          id={id}
          defaultValue={start}
          // Disabling the fields while submitting would remove their focus.
          submitBehavior="live"
          className={className}
          failureTitle={failureTitle}
          onSubmit={submit}
          onSubmitInvalid={(node) => {
            node.clearErrors(false)
            focusFirstError(id)
          }}
          onInput={(values, node) => onChange?.(complete(values, node))}
          {...(onNode && { onNode })}
        >
          {children}
        </FormKit>
      </parentSymbol.Provider>
    </FormKitProvider>
  )
}

/** Returns the current values of the surrounding form and a function that sets one field. */
export function useForm<Values extends object>() {
  const context = useFormKitContext()
  return {
    values: (context?.value ?? {}) as Partial<Values>,
    fill: (name: keyof Values & string, value: unknown) => void context?.node.at(name)?.input(value, false),
  }
}

/**
 * The focusable controls of invalid fields. A group of options is marked as a whole and cannot be focused
 * itself.
 */
const INVALID_CONTROL_SELECTOR = '[aria-invalid="true"], [data-invalid] input, [data-invalid] button'

/** Focuses the first invalid field, once the errors are rendered. */
function focusFirstError(formId: string): void {
  requestAnimationFrame(() => {
    for (const control of document
      .getElementById(formId)
      ?.querySelectorAll<HTMLElement>(INVALID_CONTROL_SELECTOR) ?? []) {
      control.focus()
      if (document.activeElement === control) return
    }
  })
}
