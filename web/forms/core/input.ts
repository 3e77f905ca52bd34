import type { FormKitFrameworkContext, FormKitTypeDefinition } from '@formkit/core'
import { type ComponentType, type ReactNode, useReducer } from 'react'
import { deferUntilPointerUp } from './defer-until-pointer-up.ts'

/** What FormKit passes to the component of an input: its state, and as `Props` the props of the field. */
export type InputContext<Props, Value> = FormKitFrameworkContext<Value | undefined> & Partial<Props>

export interface InputProps<Props, Value> {
  context: InputContext<Props, Value>
  slots: { default?: (data?: unknown) => ReactNode }
}

/** The props of every field, besides those of its type. */
export interface FieldProps<Value> {
  /** The key of the field in the form's values. */
  name: string
  label: string
  /** The subject of the error sentences („{name} este necesar.”) if the label does not fit grammatically. */
  validationLabel?: string | undefined
  /** Hides the label visually; screen readers still read it. */
  hideLabel?: boolean | undefined
  help?: string | undefined
  /** The initial value if the form has none. */
  defaultValue?: Value | undefined
  disabled?: boolean | undefined
  /** Rules as FormKit writes them: `required|length:1,200`. */
  validation?: string | undefined
  validationVisibility?: 'blur' | 'live' | 'dirty' | 'submit' | undefined
  /** Error sentences of this field, by rule name. */
  validationMessages?: Record<string, string> | undefined
  className?: string | undefined
  autoFocus?: boolean | undefined
  /**
   * The name of a field that belongs to this field, as a locality belongs to its county: after a conflict,
   * the user chooses the values of both together.
   */
  groupedWith?: string | undefined
  onInput?: ((value: Value) => void) | undefined
}

/** The definition of an input; `Props` and `Value` exist for the types only. */
export interface InputDefinition<Props, Value> extends FormKitTypeDefinition {
  props: string[]
  /** Formats a value for people, if the raw value is not readable. */
  showValue?: ((value: NonNullable<Value>) => ReactNode) | undefined
  types?: { props: Props; value: Value }
}

/**
 * Makes a FormKit input from a component; `props` names the props that its fields accept besides
 * `FieldProps`.
 */
export function defineInput<Props, Value>(
  component: ComponentType<InputProps<Props, Value>>,
  props: (keyof Props & string)[],
  definition: Partial<InputDefinition<Props, Value>> = {},
): InputDefinition<Props, Value> {
  return {
    type: 'input',
    ...definition,
    props: ['hideLabel', 'className', 'autoFocus', 'groupedWith', ...props],
    component,
  } as InputDefinition<Props, Value>
}

/** Returns the visible error sentences of a field, from rules or from the server; null if there are none. */
export function fieldError(context: FormKitFrameworkContext): string | null {
  const messages = Object.values(context.messages).filter(
    ({ type }) => type === 'validation' || type === 'error',
  )
  return messages.map(({ value }) => String(value)).join(' ') || null
}

/** Returns FormKit's state as props of the fields in web/ui. */
export function fieldBaseProps(context: InputContext<object, never> | FormKitFrameworkContext) {
  return {
    label: context.label ?? '',
    hideLabel: context.hideLabel as boolean | undefined,
    help: context.help,
    error: fieldError(context as FormKitFrameworkContext),
    className: context.className as string | undefined,
    isRequired: context.state.required,
    isDisabled: !!context.disabled,
    autoFocus: !!context.autoFocus,
    onBlur: () => deferUntilPointerUp(context.handlers.blur),
  }
}

/**
 * Returns the value of a field and its setter. The setter renders the new value in the same event: if the
 * value came with FormKit's later commit, React would restore the old text and move the caret to the end.
 */
export function useFieldValue<Value>(
  context: InputContext<object, Value>,
): [Value | undefined, (value: Value | undefined) => void] {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  const setValue = (value: Value | undefined) => {
    void context.node.input(value)
    refresh()
  }
  return [context._value, setValue]
}
