import type { FormKitLibrary } from '@formkit/core'
import { inputs } from '@formkit/inputs'
import { autocomplete } from '../inputs/autocomplete/autocomplete-input.tsx'
import { checkbox } from '../inputs/checkbox/checkbox-input.tsx'
import { cnp } from '../inputs/cnp/cnp-input.tsx'
import { colorpicker } from '../inputs/colorpicker/colorpicker-input.tsx'
import { cui } from '../inputs/cui/cui-input.tsx'
import { datepicker } from '../inputs/datepicker/datepicker-input.tsx'
import { dropdown } from '../inputs/dropdown/dropdown-input.tsx'
import { iconpicker } from '../inputs/iconpicker/iconpicker-input.tsx'
import { mask } from '../inputs/mask/mask-input.tsx'
import { password } from '../inputs/password/password-input.tsx'
import { phone } from '../inputs/phone/phone-input.tsx'
import { repeater } from '../inputs/repeater/repeater-input.tsx'
import { text, textarea } from '../inputs/text/text-input.tsx'
import { toggle } from '../inputs/toggle/toggle-input.tsx'
import type { InputDefinition } from './input.ts'

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

/** All inputs: FormKit's own, some of them replaced by the product's, and the product's other inputs. */
export const library: FormKitLibrary = { ...inputs, ...productInputs }

type TypesOf<Definition> =
  Definition extends InputDefinition<infer Props, infer Value> ? { props: Props; value: Value } : never

/** The props and the value type of each input; a union if a prop decides about other props. */
export type InputTypes = {
  [Type in keyof typeof productInputs]: TypesOf<(typeof productInputs)[Type]>
}
