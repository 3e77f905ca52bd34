import type { FormKitLibrary } from '@formkit/core'
import { inputs } from '@formkit/inputs'
import { autocomplete } from './autocomplete/autocomplete-input.tsx'
import { checkbox } from './checkbox/checkbox-input.tsx'
import { cnp } from './cnp/cnp-input.tsx'
import { colorpicker } from './colorpicker/colorpicker-input.tsx'
import { cui } from './cui/cui-input.tsx'
import { datepicker } from './datepicker/datepicker-input.tsx'
import { dropdown } from './dropdown/dropdown-input.tsx'
import { iconpicker } from './iconpicker/iconpicker-input.tsx'
import type { InputDefinition } from './input.ts'
import { mask } from './mask/mask-input.tsx'
import { password } from './password/password-input.tsx'
import { phone } from './phone/phone-input.tsx'
import { repeater } from './repeater/repeater-input.tsx'
import { text, textarea } from './text/text-input.tsx'
import { toggle } from './toggle/toggle-input.tsx'

/** The product's inputs by type [3.10]. */
export const productInputs = {
  text,
  email: text,
  tel: text,
  url: text,
  password,
  textarea,
  checkbox,
  autocomplete,
  datepicker,
  dropdown,
  colorpicker,
  iconpicker,
  toggle,
  repeater,
  mask,
  cnp,
  cui,
  phone,
}

/** FormKit's own inputs and, in place of some and beside the others, the product's. */
export const library: FormKitLibrary = { ...inputs, ...productInputs }

type TypesOf<Definition> =
  Definition extends InputDefinition<infer Props, infer Value> ? { props: Props; value: Value } : never

/** The type of each input with the props and the value that it has; several where one prop decides on others. */
export type InputTypes = {
  [Type in keyof typeof productInputs]: TypesOf<(typeof productInputs)[Type]>
}
