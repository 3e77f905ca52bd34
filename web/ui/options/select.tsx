import { type ReactNode, type Ref, useMemo, useRef } from 'react'
import {
  Button as AriaButton,
  Select as AriaSelect,
  Autocomplete,
  SelectValue,
  Text,
} from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { Icon } from '../base/icon.tsx'
import { ClearButton } from '../controls/clear-button.tsx'
import { FieldLabel, FieldNotes } from '../controls/field.tsx'
import { controlClass } from '../controls/field-styles.ts'
import { SearchField } from '../controls/search-field.tsx'
import { ChoicePopover } from './choice-popover.tsx'
import { ariaChoiceProps, type ChoiceProps, chosenIds } from './choice-props.ts'
import { createMatcher } from './match-options.ts'
import { findOptions, flatOptions, type Option } from './option.ts'
import { OptionList } from './option-list.tsx'
import { OptionTags } from './option-tags.tsx'

export type SelectProps<Id extends string> = ChoiceProps<Id> & {
  /** Shows a search field above the list. */
  hasSearch?: boolean | undefined
  /** Empties the field; if given, a clear button is shown. */
  onClear?: (() => void) | undefined
}

/** A choice of one or several options from a list that is fully loaded. */
export function Select<Id extends string>(props: SelectProps<Id>) {
  const { label, options, value, placeholder = 'Alege' } = props
  const onChange = props.onChange as (value: Id | Id[]) => void
  const { isMultiple = false, isDisabled = false } = props
  const button = useRef<HTMLButtonElement>(null)
  const ids = chosenIds<Id>(value)
  const chosen = findOptions(ids, flatOptions(options))
  const onClear = ids.length > 0 && !isDisabled ? props.onClear : undefined
  return (
    <AriaSelect<Option<Id>, 'single' | 'multiple'>
      {...ariaChoiceProps(props)}
      placeholder={placeholder}
      value={value}
      onChange={(next) => onChange(next as Id | Id[])}
      onBlur={() => props.onBlur?.()}
    >
      <FieldLabel label={label} hideLabel={props.hideLabel} isRequired={props.isRequired} />
      {/* The button fills the box; the other controls of the box lie above the button. */}
      <div className="grid min-w-0 *:col-start-1 *:row-start-1">
        <SelectButton
          ref={button}
          chosen={chosen}
          isMultiple={isMultiple}
          placeholder={placeholder}
          onClear={onClear}
        />
        {isMultiple && (
          <SelectTags>
            <OptionTags
              label={label}
              chosen={chosen}
              isDisabled={isDisabled}
              onRemove={(removed) => onChange(ids.filter((id) => !removed.has(id)))}
              focusAfterLast={button}
            />
          </SelectTags>
        )}
        {onClear && (
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
      <FieldNotes help={props.help} error={props.error} />
      <ChoicePopover>
        {props.hasSearch ? (
          <SearchableList label={label}>
            <OptionList options={options} emptyText="Nimic găsit" />
          </SearchableList>
        ) : (
          <OptionList options={options} emptyText="Nicio opțiune" />
        )}
      </ChoicePopover>
    </AriaSelect>
  )
}

/** The button that opens the list and shows the choice; Backspace and Delete empty the field. */
function SelectButton({
  chosen,
  isMultiple,
  placeholder,
  onClear,
  ref,
}: {
  chosen: readonly Option[]
  isMultiple: boolean
  placeholder: string
  onClear: (() => void) | undefined
  ref: Ref<HTMLButtonElement>
}) {
  const text = chosen.map((option) => option.label).join(', ')
  const icon = isMultiple ? undefined : chosen[0]?.icon
  return (
    <AriaButton
      ref={ref}
      onKeyDown={(event) => {
        if (onClear && (event.key === 'Backspace' || event.key === 'Delete')) onClear()
        // The surrounding dialog handles Escape.
        else event.continuePropagation()
      }}
      className={classNames(
        controlClass,
        'h-full cursor-pointer gap-2 px-3 py-1.5 text-start hover:bg-hover',
      )}
    >
      {icon && <Icon name={icon} size={18} className="shrink-0 text-muted" />}
      <SelectValue
        className={classNames(
          'min-w-0 flex-1 truncate data-placeholder:text-faint',
          onClear && 'pr-9',
          // The tags show the choice; screen readers read this text.
          isMultiple && text && 'opacity-0',
        )}
      >
        {text || placeholder}
      </SelectValue>
      <Icon name="chevron-down" size={18} className="shrink-0 text-muted" />
    </AriaButton>
  )
}

/**
 * The tags above the button. React Aria renders a Select's children a second time to collect the options, and
 * skips them inside its Text.
 */
const SelectTags = ({ children }: { children: ReactNode }) => (
  <Text
    slot={null as never}
    elementType="div"
    className="pointer-events-none z-1 flex min-w-0 flex-wrap content-center gap-2 py-1 pr-20 pl-1 group-data-disabled/field:opacity-60 *:pointer-events-auto"
  >
    {children}
  </Text>
)

/** A list under a search field that filters it. */
function SearchableList({ label, children }: { label: string; children: ReactNode }) {
  const matches = useMemo(createMatcher, [])
  return (
    <Autocomplete filter={matches}>
      <div className="border-b border-line p-1">
        <SearchField label={`Caută: ${label}`} autoFocus />
      </div>
      {children}
    </Autocomplete>
  )
}
