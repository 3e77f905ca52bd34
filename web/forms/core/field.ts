import { type FormKitNode, isPlaceholder } from '@formkit/core'
import { FormKit } from '@formkit/react'
import { type ComponentType, createElement } from 'react'
import type { FieldProps, InputDefinition } from './input.ts'
import type { InputTypes } from './library.ts'

type FieldOf<Type, Types> = Types extends { props: infer Props; value: infer Value }
  ? { type: Type } & FieldProps<Value> & Props
  : never

type AnyFieldProps = { [Type in keyof InputTypes]: FieldOf<Type, InputTypes[Type]> }[keyof InputTypes]

const AnyField = FormKit as unknown as ComponentType<AnyFieldProps & { onNode: (node: FormKitNode) => void }>

/**
 * Removes the FormKit nodes of fields that React rendered but never mounted (strict mode, suspended
 * siblings). Such nodes would stay in the form, empty and invalid. The mounted field takes over their value.
 */
function dropUnmounted(node: FormKitNode): void {
  if (node.parent?.type !== 'group') return
  for (const other of [...node.parent.children]) {
    if (other === node || other.name !== node.name || isPlaceholder(other)) continue
    if (node.value === undefined) void node.input(other.value, false)
    other.destroy()
  }
}

/** A form field: FormKit's component, with the props of each input type. */
export function Field(props: AnyFieldProps) {
  return createElement(AnyField, { ...props, onNode: dropUnmounted })
}

/** Returns a field component for an input that is not in the library because only one screen has it. */
export const fieldOf = <Props, Value>(type: InputDefinition<Props, Value>) => {
  const CustomField = FormKit as unknown as ComponentType<object>
  return (props: FieldProps<Value> & Props) =>
    createElement(CustomField, { type, ...props, onNode: dropUnmounted } as object)
}
