import type { Option, OptionGroup } from '../../../ui/options/option.ts'
import { Select, type SelectProps } from '../../../ui/options/select.tsx'
import {
  defineInput,
  fieldBaseProps,
  type InputDefinition,
  type InputProps,
  useFieldValue,
} from '../../core/input.ts'

interface CommonProps {
  options: readonly (Option | OptionGroup)[]
  placeholder?: string | undefined
  /** Shows a search field above the list. */
  search?: boolean | undefined
  /** Called after the user selects an option; not called when the form sets the value. */
  onChoose?: ((id: string | null) => void) | undefined
}

export type DropdownProps = CommonProps & { multiple?: false | undefined }
export type MultipleDropdownProps = CommonProps & { multiple: true }
type AnyProps = CommonProps & { multiple?: boolean | undefined }
type Value = string | readonly string[] | null

function DropdownInput({ context }: InputProps<AnyProps, Value>) {
  const { multiple, options = [], placeholder, search, onChoose } = context
  const [value, setValue] = useFieldValue(context)
  const shared: Omit<SelectProps<string>, 'value' | 'onChange' | 'isMultiple'> = {
    ...fieldBaseProps(context),
    options,
    placeholder,
    hasSearch: search,
    ...(!context.state.required && {
      onClear: () => {
        setValue(multiple ? [] : null)
        onChoose?.(null)
      },
    }),
  }
  return multiple ? (
    <Select {...shared} isMultiple value={(value as readonly string[]) ?? []} onChange={setValue} />
  ) : (
    <Select
      {...shared}
      value={(value as string) || null}
      onChange={(id) => {
        setValue(id)
        onChoose?.(id)
      }}
    />
  )
}

/** A choice from a list that is fully loaded: an id or null; with `multiple`, a list of ids. */
export const dropdown = defineInput<AnyProps, Value>(DropdownInput, [
  'multiple',
  'options',
  'placeholder',
  'search',
  'onChoose',
]) as
  | InputDefinition<DropdownProps, string | null>
  | InputDefinition<MultipleDropdownProps, readonly string[]>
