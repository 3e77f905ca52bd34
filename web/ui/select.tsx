import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  Select as AriaSelect,
  type SelectProps as AriaSelectProps,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from 'react-aria-components'
import { classNames } from './class-names.ts'
import { FieldLabel, type FieldLook, FieldNotes } from './field.tsx'
import { controlClass, fieldClass } from './field-look.ts'
import { Icon, type IconName } from './icon.tsx'
import { optionClass, optionListClass, popoverClass } from './popover.ts'

export interface Option<Id extends string = string> {
  id: Id
  label: string
  /** A second, quieter line. */
  description?: string | undefined
  icon?: IconName | undefined
  isDisabled?: boolean | undefined
}

export interface SelectProps<Id extends string>
  extends Omit<
      AriaSelectProps<Option<Id>>,
      | 'children'
      | 'className'
      | 'style'
      | 'isInvalid'
      | 'value'
      | 'defaultValue'
      | 'onChange'
      | 'selectionMode'
    >,
    FieldLook {
  options: readonly Option<Id>[]
  value: Id | null
  onChange: (value: Id) => void
  placeholder?: string
}

export function Select<Id extends string>({
  label,
  hideLabel,
  help,
  error,
  className,
  options,
  value,
  onChange,
  placeholder = 'Alege',
  ...props
}: SelectProps<Id>) {
  const chosen = options.find((option) => option.id === value)
  return (
    <AriaSelect
      validationBehavior="aria"
      {...props}
      placeholder={placeholder}
      value={value}
      onChange={(id) => onChange(id as Id)}
      isInvalid={!!error}
      className={classNames(fieldClass, className)}
    >
      <FieldLabel label={label} hideLabel={hideLabel} isRequired={props.isRequired} />
      <AriaButton className={classNames(controlClass, 'gap-2 px-3 py-1.5 text-start hover:bg-hover')}>
        {chosen?.icon && <Icon name={chosen.icon} size={18} className="text-muted" />}
        <SelectValue className="min-w-0 flex-1 truncate data-placeholder:text-faint">
          {chosen ? chosen.label : placeholder}
        </SelectValue>
        <Icon name="chevron-down" size={18} className="text-muted" />
      </AriaButton>
      <FieldNotes help={help} error={error} />
      <Popover className={popoverClass} offset={4}>
        <ListBox items={options} className={optionListClass}>
          {(option) => <OptionItem option={option} />}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}

/** One line of a list of choices, with a check on the chosen one. */
export function OptionItem({ option }: { option: Option }): ReactNode {
  return (
    <ListBoxItem
      id={option.id}
      textValue={option.label}
      isDisabled={option.isDisabled ?? false}
      className={optionClass}
    >
      {option.icon && <Icon name={option.icon} size={18} className="text-muted" />}
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{option.label}</span>
        {option.description && <span className="truncate text-xs text-muted">{option.description}</span>}
      </span>
      <Icon name="check" size={16} className="invisible text-accent-ink group-data-selected/option:visible" />
    </ListBoxItem>
  )
}
