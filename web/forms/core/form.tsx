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
  /** A submit button outside the form names it. */
  id: string
  /** What stands in the fields at first. */
  start: Values
  /**
   * Called with what stands in the fields, once at a time and only where no rule refuses it. Rejects with the server's
   * refusal: its sentences come under their fields, or above the form where they are of none.
   */
  onSubmit: (values: Values) => Promise<unknown>
  /** After each change, with what stands in the fields then. */
  onChange?: ((values: Values) => void) | undefined
  /** The form's node, for what only it can do. */
  onNode?: ((node: FormKitNode) => void) | undefined
  /** Over what went wrong; without it „Nu s-a salvat”. */
  failureTitle?: string | undefined
  className?: string | undefined
  children: ReactNode
}

interface ElementProps {
  className: string
  failureTitle: string
}

/** Ctrl Enter sends from a field of many lines too, as Enter does from the others: where the form's button would. */
function sendWithKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
  // React brings the keys of a dialog here that stands elsewhere in the document.
  if (!event.currentTarget.contains(event.target as Node)) return
  event.preventDefault()
  event.stopPropagation()
  const buttons = [...event.currentTarget.elements] as HTMLButtonElement[]
  const button = buttons.find(({ type }) => type === 'submit')
  if (!button) return
  // As when the field is left for the button: a text that is no value yet is taken for one, or refused.
  flushSync(() => button.focus())
  ;(event.target as HTMLElement).focus()
  setTimeout(() => button.click())
}

/** What just happened to the form, read aloud, and brought to where it is seen on a form longer than the screen. */
export function FormAlert(props: Omit<AlertProps, 'isLive' | 'className'>) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it says has changed
  useEffect(() => {
    // Newer browsers answer with a promise, which React would take for the way to undo it.
    void place.current?.scrollIntoView({ block: 'nearest' })
  }, [props.children])
  return (
    <div ref={place} className="col-span-full">
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
        // A dialog with a form of its own may lie in this one as React sees it, not in the document.
        event.stopPropagation()
        handlers.submit?.(event)
      }}
      // On its way down: some controls keep the keys for themselves.
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

/** What the server refused comes under the fields that it names, and above the form where it names none of them. */
function showServerError(node: FormKitNode, error: unknown): void {
  const refused = Object.entries(fieldErrors(error))
  const ofFields = refused.filter(([name]) => node.at(name))
  const others = refused.filter(([name]) => !node.at(name)).map(([, sentence]) => sentence)
  node.setErrors(refused.length > 0 ? others : [errorMessage(error)], Object.fromEntries(ofFields))
  if (ofFields.length > 0) focusFirstError(node.props.id as string)
}

/**
 * A form on FormKit. Submitting with something refused says so [5.4] and puts the keyboard where it is to be mended;
 * submitting again while it is under way does nothing. A field that is not shown says what it said at first.
 */
export function Form<Values extends object>(props: FormProps<Values>) {
  const { id, start, onSubmit, onChange, onNode, failureTitle, className, children } = props
  const isUnderWay = useRef(false)
  const complete = (values: unknown, node: FormKitNode) =>
    ({ ...(node.props.initial as object), ...(values as object) }) as Values
  const submit = async (values: object, node: FormKitNode) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    node.clearErrors(true)
    try {
      await onSubmit(complete(values, node))
    } catch (error) {
      // Closed in the meantime.
      if (node.context) showServerError(node, error)
    }
    isUnderWay.current = false
  }
  return (
    <FormKitProvider config={formKit}>
      {/* A form in a dialog over another form is no part of it. */}
      <parentSymbol.Provider value={null}>
        <FormKit
          type={form as never}
          id={id}
          defaultValue={start}
          // Disabling the fields while they are sent would take the focus from them.
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

/** The form around the caller: what stands in its fields, and a way to write into one. */
export function useForm<Values extends object>() {
  const context = useFormKitContext()
  return {
    values: (context?.value ?? {}) as Partial<Values>,
    fill: (name: keyof Values & string, value: unknown) => void context?.node.at(name)?.input(value, false),
  }
}

/** What takes the keyboard in a refused field; a group of choices is marked as a whole and does not take it itself. */
const REJECTED_MESSAGE = '[aria-invalid="true"], [data-invalid] input, [data-invalid] button'

/** The keyboard goes to the first field that is refused, once the refusal is on the screen. */
function focusFirstError(formId: string): void {
  requestAnimationFrame(() => {
    for (const part of document.getElementById(formId)?.querySelectorAll<HTMLElement>(REJECTED_MESSAGE) ??
      []) {
      part.focus()
      if (document.activeElement === part) return
    }
  })
}
