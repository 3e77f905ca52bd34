import { FormKit } from '@formkit/react'
import type { ComponentType } from 'react'
import type { FieldProps } from './input.ts'
import type { InputTypes } from './library.ts'

type AnyFieldProps = {
  [Type in keyof InputTypes]: { type: Type } & FieldProps<InputTypes[Type]['value']> &
    InputTypes[Type]['props']
}[keyof InputTypes]

/** A field of a form: FormKit's component, told exactly which props each of the product's inputs takes. */
export const Field = FormKit as unknown as ComponentType<AnyFieldProps>
