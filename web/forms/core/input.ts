import type { FormKitFrameworkContext, FormKitTypeDefinition } from '@formkit/core'
import { type ComponentType, type ReactNode, useReducer } from 'react'
import { deferUntilPointerUp } from './defer-until-pointer-up.ts'

/** What FormKit hands to the component of an input: its state, and as `Props` what stands on the field. */
export type InputContext<Props, Value> = FormKitFrameworkContext<Value | undefined> & Partial<Props>

export interface InputProps<Props, Value> {
  context: InputContext<Props, Value>
  slots: { default?: (data?: unknown) => ReactNode }
}

/** What every field may say beside what its type adds. */
export interface FieldProps<Value> {
  /** Its place in the form's values. */
  name: string
  label: string
  /** The subject of its refusals („{name} este necesar.”), where the label does not agree with them; else the label. */
  validationLabel?: string | undefined
  /** The label is read aloud only. */
  hideLabel?: boolean | undefined
  help?: string | undefined
  /** What it starts with, where the form has no value for it. */
  defaultValue?: Value | undefined
  disabled?: boolean | undefined
  /** Rules as FormKit writes them: `required|length:1,200`. */
  validation?: string | undefined
  validationVisibility?: 'blur' | 'live' | 'dirty' | 'submit' | undefined
  /** Sentences of this field alone, by the rule's name. */
  validationMessages?: Record<string, string> | undefined
  className?: string | undefined
  autoFocus?: boolean | undefined
  /** The field that belongs to this one, as a locality to its county: after a conflict the two are taken together. */
  leads?: string | undefined
  onInput?: ((value: Value) => void) | undefined
}

/** An input's definition; `Props` and `Value` are there for the types alone. */
export interface InputDefinition<Props, Value> extends FormKitTypeDefinition {
  props: string[]
  /** A value in a few words or signs, where it is not understood as it stands. */
  showValue?: ((value: NonNullable<Value>) => ReactNode) | undefined
  types?: { props: Props; value: Value }
}

/** Makes a FormKit input of a component; `props` are the names of what its fields may say beside `FieldProps`. */
export function defineInput<Props, Value>(
  component: ComponentType<InputProps<Props, Value>>,
  props: (keyof Props & string)[],
  definition: Partial<InputDefinition<Props, Value>> = {},
): InputDefinition<Props, Value> {
  return {
    type: 'input',
    ...definition,
    props: ['hideLabel', 'className', 'autoFocus', 'leads', ...props],
    component,
  } as InputDefinition<Props, Value>
}

/** What FormKit has to say of a field now: refused by a rule, once it may be seen, or by the server. */
export function fieldError(context: FormKitFrameworkContext): string | null {
  const messages = Object.values(context.messages).filter(
    ({ type }) => type === 'validation' || type === 'error',
  )
  return messages.map(({ value }) => String(value)).join(' ') || null
}

/** FormKit's state as the fields of web/ui take it. */
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
 * The value of a field and what changes it. The new value is on the screen in the same event: React would put back the old
 * one, and the caret at the end, if it came with FormKit's own notice a moment later.
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
