import type { FormKitLibrary } from '@formkit/core'
import { inputs } from '@formkit/inputs'
import { checkbox } from './checkbox/checkbox-input.tsx'
import type { InputDefinition } from './input.ts'
import { text, textarea } from './text/text-input.tsx'

/** The product's inputs by type [3.10]. */
export const productInputs = {
  text,
  email: text,
  tel: text,
  url: text,
  password: text,
  textarea,
  checkbox,
}

/** FormKit's own inputs and, in place of some and beside the others, the product's. */
export const library: FormKitLibrary = { ...inputs, ...productInputs }

type Types = typeof productInputs
type TypesOf<Type extends keyof Types> =
  Types[Type] extends InputDefinition<infer Props, infer Value> ? { props: Props; value: Value } : never

/** The type of each input with the props and the value that it has. */
export type InputTypes = { [Type in keyof Types]: TypesOf<Type> }
