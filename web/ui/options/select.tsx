import { useMemo, useRef } from 'react'
import {
  Button as AriaButton,
  Select as AriaSelect,
  type SelectProps as AriaSelectProps,
  Autocomplete,
  Popover,
  SelectValue,
  Text,
} from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'
import { choicePopoverClass } from '../base/popover-styles.ts'
import { ClearButton } from '../controls/clear-button.tsx'
import { type FieldBaseProps, FieldLabel, FieldNotes } from '../controls/field.tsx'
import { controlClass, fieldClass } from '../controls/field-styles.ts'
import { SearchField } from '../controls/search-field.tsx'
import { createMatcher, flatOptions } from './match-options.ts'
import type { Option, OptionGroup } from './option.ts'
import { OptionList } from './option-list.tsx'
import { OptionTags } from './option-tags.tsx'

interface BaseProps<Id extends string>
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
      | 'placeholder'
      | 'validate'
    >,
    FieldBaseProps {
  options: readonly (Option<Id> | OptionGroup<Id>)[]
  placeholder?: string | undefined
  /** Shows a search field above the list. */
  hasSearch?: boolean | undefined
  /** Empties the field; if given, a clear button is shown. */
  onClear?: (() => void) | undefined
}

interface OneProps<Id extends string> extends BaseProps<Id> {
  isMultiple?: false | undefined
  value: Id | null
  onChange: (value: Id) => void
}

interface SeveralProps<Id extends string> extends BaseProps<Id> {
  isMultiple: true
  value: readonly Id[]
  onChange: (value: Id[]) => void
}

export type SelectProps<Id extends string> = OneProps<Id> | SeveralProps<Id>

/** A choice of one or several options from a list that is fully loaded. */
export function Select<Id extends string>({
  label,
  hideLabel,
  help,
  error,
  className,
  options,
  isMultiple = false,
  value,
  onChange,
  placeholder = 'Alege',
  hasSearch,
  onClear,
  ...props
}: SelectProps<Id>) {
  const ids = value === null ? [] : [value].flat()
  const flat = flatOptions(options)
  const chosen = ids.flatMap((id) => flat.find((option) => option.id === id) ?? [])
  const canClear = onClear && ids.length > 0 && !props.isDisabled
  const text = chosen.map((option) => option.label).join(', ')
  const matches = useMemo(createMatcher, [])
  const button = useRef<HTMLButtonElement>(null)
  const [only] = isMultiple ? [] : chosen
  const list = <OptionList options={options} emptyText={hasSearch ? 'Nimic găsit' : 'Nicio opțiune'} />
  return (
    <AriaSelect<Option<Id>, 'single' | 'multiple'>
      validationBehavior="aria"
      allowsEmptyCollection
      {...props}
      selectionMode={isMultiple ? 'multiple' : 'single'}
      placeholder={placeholder}
      value={value}
      onChange={(next) => onChange(next as Id & Id[])}
      isInvalid={!!error}
      className={classNames(fieldClass, className)}
    >
      <FieldLabel label={label} hideLabel={hideLabel} isRequired={props.isRequired} />
      {/* The button fills the box; the other controls of the box lie above the button. */}
      <div className="grid min-w-0 *:col-start-1 *:row-start-1">
        <AriaButton
          ref={button}
          onKeyDown={(event) => {
            if (canClear && (event.key === 'Backspace' || event.key === 'Delete')) onClear()
            // The surrounding dialog handles Escape.
            else event.continuePropagation()
          }}
          className={classNames(
            controlClass,
            'h-full cursor-pointer gap-2 px-3 py-1.5 text-start hover:bg-hover',
          )}
        >
          {only?.icon && <Icon name={only.icon} size={18} className="shrink-0 text-muted" />}
          <SelectValue
            className={classNames(
              'min-w-0 flex-1 truncate data-placeholder:text-faint',
              canClear && 'pr-9',
              isMultiple && text && 'opacity-0',
            )}
          >
            {text || placeholder}
          </SelectValue>
          <Icon name="chevron-down" size={18} className="shrink-0 text-muted" />
        </AriaButton>
        {isMultiple && (
          // React Aria renders a Select's children a second time to collect the options, and skips them
          // inside its Text.
          <Text
            slot={null as never}
            elementType="div"
            className="pointer-events-none z-1 flex min-w-0 flex-wrap content-center gap-2 py-1 pr-20 pl-1 group-data-disabled/field:opacity-60 *:pointer-events-auto"
          >
            <OptionTags
              label={label}
              chosen={chosen}
              isDisabled={props.isDisabled ?? false}
              onRemove={(removed) => {
                onChange(ids.filter((id) => !removed.has(id)) as Id & Id[])
                if (removed.size === ids.length) button.current?.focus()
              }}
            />
          </Text>
        )}
        {canClear && (
          <ClearButton
            label={label}
            onPress={() => {
              onClear()
              button.current?.focus()
            }}
            className="z-1 mr-8 self-center justify-self-end"
          />
        )}
      </div>
      <FieldNotes help={help} error={error} />
      <Popover className={choicePopoverClass} offset={4}>
        {hasSearch ? (
          <Autocomplete filter={matches}>
            <div className="border-b border-line p-1">
              <SearchField label={`Caută: ${label}`} autoFocus />
            </div>
            {list}
          </Autocomplete>
        ) : (
          list
        )}
      </Popover>
    </AriaSelect>
  )
}
