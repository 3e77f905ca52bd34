import type { CategoryIconName } from '../../../../shared/uploads/categories.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { IconPicker } from './icon-picker.tsx'

function IconpickerInput({ context }: InputProps<object, CategoryIconName | ''>) {
  const [value = '', setValue] = useFieldValue(context)
  return <IconPicker {...fieldBaseProps(context)} value={value} onChange={setValue} />
}

/** An icon of requirement 3.7; the value is the icon's name, or ''. */
export const iconpicker = defineInput<object, CategoryIconName | ''>(IconpickerInput, [])
