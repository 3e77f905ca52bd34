import { ComboBox as AriaComboBox } from 'react-aria-components'
import { classNames } from '../base/class-names.ts'
import { FieldLabel, FieldNotes } from '../controls/field.tsx'
import { ChoicePopover } from './choice-popover.tsx'
import { ComboBoxControl } from './combo-box-control.tsx'
import type { ComboBoxProps } from './combo-box-props.ts'
import type { Option } from './option.ts'
import { OptionList } from './option-list.tsx'
import { useComboBox } from './use-combo-box.ts'
import { ListObserver } from './use-typed-row.ts'

/** A choice of one or several options by typing. */
export function ComboBox<Id extends string>(props: ComboBoxProps<Id>) {
  const { ariaProps, input, listBox, choice, typedRow, actions, listError, announcement } =
    useComboBox<Id>(props)
  const status = props.isMultiple && (
    <span role="status" className="sr-only">
      {announcement}
    </span>
  )
  return (
    <AriaComboBox<Option<Id>, 'single' | 'multiple'> {...ariaProps}>
      <FieldLabel label={props.label} hideLabel={props.hideLabel} isRequired={props.isRequired} />
      <ComboBoxControl
        label={props.label}
        placeholder={props.placeholder}
        isMultiple={props.isMultiple}
        isRequired={props.isRequired}
        isDisabled={props.isDisabled}
        isLoading={props.isLoading}
        choice={choice}
        inputRef={input}
        onKeyDownCapture={typedRow.handleKeyDown}
      />
      {status}
      <FieldNotes help={props.help} error={props.error} />
      <ChoicePopover>
        {/* While the list is open, screen readers do not announce what is outside of the list. */}
        {status}
        <p
          role="status"
          className={classNames(
            listError && 'w-0 min-w-full border-b border-line px-3.5 py-2.5 text-sm text-danger',
          )}
        >
          {listError}
        </p>
        <OptionList
          listRef={listBox}
          options={[...choice.unlisted, ...props.options]}
          actions={actions}
          emptyText={props.emptyText ?? 'Nimic găsit'}
          isLoading={props.isLoading}
          onLoadMore={props.onLoadMore}
          mayGrow={props.onSearch !== undefined}
        />
      </ChoicePopover>
      <ListObserver list={typedRow.list} onChange={typedRow.handleListChange} />
    </AriaComboBox>
  )
}
