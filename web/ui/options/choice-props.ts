import { classNames } from '../base/class-names.ts'
import type { FieldBaseProps } from '../controls/field.tsx'
import { fieldClass } from '../controls/field-styles.ts'
import type { Option, OptionGroup } from './option.ts'

interface BaseProps<Id extends string> extends FieldBaseProps {
  options: readonly (Option<Id> | OptionGroup<Id>)[]
  placeholder?: string | undefined
  isRequired?: boolean | undefined
  isDisabled?: boolean | undefined
  autoFocus?: boolean | undefined
  onBlur?: (() => void) | undefined
}

/** `Empty` is null if the user can empty a choice of one option. */
interface OneProps<Id extends string, Empty> extends BaseProps<Id> {
  isMultiple?: false | undefined
  value: Id | null
  onChange: (value: Id | Empty) => void
}

interface SeveralProps<Id extends string> extends BaseProps<Id> {
  isMultiple: true
  value: readonly Id[]
  onChange: (value: Id[]) => void
}

/** The props that Select and ComboBox share. */
export type ChoiceProps<Id extends string, Empty = never> = OneProps<Id, Empty> | SeveralProps<Id>

/** Returns the ids of a choice of one or several options as a list. */
export const chosenIds = <Id extends string>(value: Id | readonly Id[] | null): Id[] =>
  value === null ? [] : ([value].flat() as Id[])

/** Returns the props of React Aria's component that are the same for Select and ComboBox. */
export const ariaChoiceProps = ({
  isMultiple = false,
  isRequired = false,
  isDisabled = false,
  autoFocus = false,
  error,
  className,
}: Pick<
  ChoiceProps<string>,
  'isMultiple' | 'isRequired' | 'isDisabled' | 'autoFocus' | 'error' | 'className'
>) => ({
  validationBehavior: 'aria' as const,
  allowsEmptyCollection: true,
  selectionMode: isMultiple ? ('multiple' as const) : ('single' as const),
  isRequired,
  isDisabled,
  autoFocus,
  isInvalid: !!error,
  className: classNames(fieldClass, className),
})
