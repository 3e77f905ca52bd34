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
 * React may render a field and throw it away: in strict mode, or where something beside it is still loading. FormKit has made
 * a node of it by then, which would stay in the form for good, empty and refused. Only the one on the page stays, with what
 * the form had for the other.
 */
function dropUnmounted(node: FormKitNode): void {
  if (node.parent?.type !== 'group') return
  for (const other of [...node.parent.children]) {
    if (other === node || other.name !== node.name || isPlaceholder(other)) continue
    if (node.value === undefined) void node.input(other.value, false)
    other.destroy()
  }
}

/** A field of a form: FormKit's component, told exactly which props each of the product's inputs takes. */
export function Field(props: AnyFieldProps) {
  return createElement(AnyField, { ...props, onNode: dropUnmounted })
}

/** A field of an input that one screen alone has, and no library. */
export const fieldOf = <Props, Value>(type: InputDefinition<Props, Value>) => {
  const OwnField = FormKit as unknown as ComponentType<object>
  return (props: FieldProps<Value> & Props) =>
    createElement(OwnField, { type, ...props, onNode: dropUnmounted } as object)
}
