import type { CategoryIconName } from '../../../shared/categories.ts'
import { defineInput, fieldLook, type InputProps, useFieldValue } from '../input.ts'
import { IconPicker } from './icon-picker.tsx'

function IconpickerInput({ context }: InputProps<object, CategoryIconName | ''>) {
  const [value = '', setValue] = useFieldValue(context)
  return <IconPicker {...fieldLook(context)} value={value} onChange={setValue} />
}

/** One of the icons of requirement 3.7; its value is the icon's name, or ''. */
export const iconpicker = defineInput<object, CategoryIconName | ''>(IconpickerInput, [])
