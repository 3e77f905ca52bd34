import {
  Button as AriaButton,
  ComboBox as AriaComboBox,
  type ComboBoxProps as AriaComboBoxProps,
  Group,
  Input,
  ListBox,
  Popover,
} from 'react-aria-components'
import { classNames } from './class-names.ts'
import { FieldLabel, type FieldLook, FieldNotes } from './field.tsx'
import { controlClass, controlRing, fieldClass, inputClass } from './field-look.ts'
import { Icon } from './icon.tsx'
import { Spinner } from './loading.tsx'
import { optionListClass, popoverClass } from './popover.ts'
import { type Option, OptionItem } from './select.tsx'

export interface ComboBoxProps<Id extends string>
  extends Omit<
      AriaComboBoxProps<Option<Id>>,
      | 'children'
      | 'className'
      | 'style'
      | 'isInvalid'
      | 'items'
      | 'defaultItems'
      | 'value'
      | 'defaultValue'
      | 'onChange'
      | 'selectionMode'
    >,
    FieldLook {
  options: readonly Option<Id>[]
  value: Id | null
  onChange: (value: Id | null) => void
  placeholder?: string | undefined
  /**
   * Where the answers come from the server: called as the person types; `options` are then shown as they are, not
   * filtered again.
   */
  onSearch?: ((text: string) => void) | undefined
  isLoading?: boolean | undefined
  /** In the list when nothing matches. */
  emptyText?: string | undefined
}

export function ComboBox<Id extends string>({
  label,
  hideLabel,
  help,
  error,
  className,
  options,
  value,
  onChange,
  placeholder,
  onSearch,
  isLoading,
  emptyText = 'Nimic găsit',
  ...props
}: ComboBoxProps<Id>) {
  return (
    <AriaComboBox
      validationBehavior="aria"
      allowsEmptyCollection
      {...props}
      {...(onSearch ? { items: options, onInputChange: onSearch } : { defaultItems: options })}
      value={value}
      onChange={(id) => onChange(id as Id | null)}
      isInvalid={!!error}
      className={classNames(fieldClass, className)}
    >
      <FieldLabel label={label} hideLabel={hideLabel} isRequired={props.isRequired} />
      <Group className={classNames(controlClass, controlRing)}>
        <Input {...(placeholder ? { placeholder } : {})} className={inputClass} />
        <AriaButton className="hit-square -my-px flex items-center justify-center rounded-md text-muted hover:text-ink">
          {isLoading ? <Spinner label="Se caută" size={18} /> : <Icon name="chevron-down" size={18} />}
        </AriaButton>
      </Group>
      <FieldNotes help={help} error={error} />
      <Popover className={popoverClass} offset={4}>
        <ListBox<Option<Id>>
          className={optionListClass}
          renderEmptyState={() => (
            <p className="px-2.5 py-2 text-sm text-muted">{isLoading ? 'Se caută…' : emptyText}</p>
          )}
        >
          {(option) => <OptionItem option={option} />}
        </ListBox>
      </Popover>
    </AriaComboBox>
  )
}
