import type { KeyboardEvent, ReactNode } from 'react'
import {
  CheckboxButton,
  CheckboxField,
  CheckboxGroup,
  RadioButton,
  RadioField,
  RadioGroup,
  SwitchButton,
  SwitchField,
  Text,
} from 'react-aria-components'
import { classNames } from '../../../ui/base/class-names.ts'
import { Icon } from '../../../ui/base/icon.tsx'
import { Kbd } from '../../../ui/base/kbd.tsx'
import { type FieldBaseProps, FieldLabel, FieldNotes } from '../../../ui/controls/field.tsx'
import { fieldClass } from '../../../ui/controls/field-styles.ts'
import { focusNeighbour, optionColumns } from './options.ts'

interface ControlProps extends FieldBaseProps {
  isRequired?: boolean | undefined
  isDisabled?: boolean | undefined
  autoFocus?: boolean | undefined
  onBlur?: (() => void) | undefined
}

export interface ToggleSwitchProps extends ControlProps {
  value: boolean
  onChange: (value: boolean) => void
}

/** A switch. The word beside it repeats the state for users who do not recognise its shape or colour. */
export function ToggleSwitch({
  label,
  hideLabel,
  help,
  error,
  className,
  value,
  onChange,
  onBlur,
  isRequired = false,
  isDisabled = false,
  autoFocus = false,
}: ToggleSwitchProps) {
  return (
    <SwitchField
      validationBehavior="aria"
      isSelected={value}
      onChange={onChange}
      onBlur={() => onBlur?.()}
      isRequired={isRequired}
      isDisabled={isDisabled}
      isInvalid={!!error}
      autoFocus={autoFocus}
      className={classNames(fieldClass, className)}
    >
      <SwitchButton className="group/switch relative grid cursor-pointer justify-items-start gap-1.5 data-disabled:cursor-not-allowed">
        <span className={classNames('formkit-label text-sm font-medium', hideLabel && 'sr-only')}>
          {label}
          {isRequired && (
            <span aria-hidden="true" className="ml-0.5 text-danger">
              *
            </span>
          )}
        </span>
        <span className="hit-area flex items-center gap-2.5 group-data-disabled/switch:opacity-60">
          <span className="flex h-7 w-12 items-center rounded-full border border-line-strong bg-surface p-0.75 transition-colors group-hover/switch:border-ink group-data-disabled/switch:bg-sunken group-data-focus-visible/switch:outline-2 group-data-focus-visible/switch:outline-offset-2 group-data-focus-visible/switch:outline-focus group-data-invalid/switch:border-danger group-data-selected/switch:border-accent-mark group-data-selected/switch:bg-accent-mark">
            <span className="flex size-5 items-center justify-center rounded-full bg-line-strong text-accent-ink transition-[translate,background-color] group-data-selected/switch:translate-x-5 group-data-selected/switch:bg-canvas">
              <span className="invisible flex group-data-selected/switch:visible">
                <Icon name="check" size={14} />
              </span>
            </span>
          </span>
          <span aria-hidden="true" className="text-sm">
            {value ? 'Da' : 'Nu'}
          </span>
        </span>
      </SwitchButton>
      <FieldNotes help={help} error={error} />
    </SwitchField>
  )
}

export interface ToggleOption {
  value: string
  label: string
  /** A second line in muted text. */
  help?: string | undefined
  disabled?: boolean | undefined
  /** The key that chooses the option, as shown; the screen handles the key. */
  shortcut?: string | undefined
}

/**
 * `row` shows segments side by side, stacked if there is no room or an option has help; `list` is always
 * stacked.
 */
export type ToggleStyleProps = 'row' | 'list'

interface OptionsProps extends ControlProps {
  options: readonly ToggleOption[]
  look?: ToggleStyleProps | undefined
}

export interface ToggleOneProps extends OptionsProps {
  value: string | null
  onChange: (value: string) => void
}

/** A choice of one option; the arrow keys choose, as in every radio group. */
export function ToggleOne({
  label,
  hideLabel,
  help,
  error,
  className,
  options,
  look = 'row',
  value,
  onChange,
  onBlur,
  isRequired = false,
  isDisabled = false,
  autoFocus = false,
}: ToggleOneProps) {
  const first = firstFocused(options, value === null ? [] : [value])
  return (
    <RadioGroup
      validationBehavior="aria"
      value={value}
      onChange={onChange}
      onBlur={() => onBlur?.()}
      isRequired={isRequired}
      isDisabled={isDisabled}
      isInvalid={!!error}
      orientation={look === 'row' ? 'horizontal' : 'vertical'}
      className={classNames(fieldClass, className)}
    >
      <FieldLabel label={label} hideLabel={hideLabel} isRequired={isRequired} />
      <Frame options={options} look={look}>
        {options.map((option) => (
          <RadioField
            key={option.value}
            value={option.value}
            isDisabled={option.disabled ?? false}
            autoFocus={autoFocus && option === first}
            className={cellClass[look]}
          >
            <RadioButton className={labelClass}>
              <span className="size-5 shrink-0 rounded-full border border-line-strong bg-surface group-hover/option:border-ink group-data-selected/option:border-6 group-data-selected/option:border-accent-mark" />
              <OptionText option={option} />
            </RadioButton>
            <OptionHelp option={option} />
          </RadioField>
        ))}
      </Frame>
      <FieldNotes help={help} error={error} />
    </RadioGroup>
  )
}

export interface ToggleManyProps extends OptionsProps {
  value: readonly string[]
  onChange: (value: string[]) => void
}

/** A choice of any number of options; Tab stops at each, the arrow keys move between them, Space chooses. */
export function ToggleMany({
  label,
  hideLabel,
  help,
  error,
  className,
  options,
  look = 'row',
  value,
  onChange,
  onBlur,
  isRequired = false,
  isDisabled = false,
  autoFocus = false,
}: ToggleManyProps) {
  const first = firstFocused(options, value)
  return (
    <CheckboxGroup
      validationBehavior="aria"
      value={[...value]}
      onChange={onChange}
      onBlur={() => onBlur?.()}
      isRequired={isRequired}
      isDisabled={isDisabled}
      isInvalid={!!error}
      className={classNames(fieldClass, className)}
    >
      <FieldLabel label={label} hideLabel={hideLabel} isRequired={isRequired} />
      <Frame options={options} look={look} onKeyDown={focusNeighbour}>
        {options.map((option) => (
          <CheckboxField
            key={option.value}
            value={option.value}
            isDisabled={option.disabled ?? false}
            autoFocus={autoFocus && option === first}
            className={cellClass[look]}
          >
            <CheckboxButton className={labelClass}>
              <span className="flex size-5 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface text-canvas group-hover/option:border-ink group-data-selected/option:border-accent-mark group-data-selected/option:bg-accent-mark">
                <span className="invisible flex group-data-selected/option:visible">
                  <Icon name="check" size={16} />
                </span>
              </span>
              <OptionText option={option} />
            </CheckboxButton>
            <OptionHelp option={option} />
          </CheckboxField>
        ))}
      </Frame>
      <FieldNotes help={help} error={error} />
    </CheckboxGroup>
  )
}

/** Returns the option that receives the focus first: the chosen one, else the first enabled one. */
function firstFocused(options: readonly ToggleOption[], chosen: readonly string[]): ToggleOption | undefined {
  const enabled = options.filter(({ disabled }) => !disabled)
  return enabled.find(({ value }) => chosen.includes(value)) ?? enabled[0]
}

const frameClass: Record<ToggleStyleProps, string> = {
  // The lines between the segments are the background that shows through the gaps.
  row: 'gap-px overflow-hidden rounded-md border border-line-strong bg-line group-data-disabled/field:opacity-60 group-data-invalid/field:border-danger',
  list: 'gap-1 group-data-disabled/field:opacity-60',
}

const cell =
  'hit-area group/option relative grid content-center gap-x-2.5 py-2 transition-colors has-data-focus-visible:outline-2 has-data-focus-visible:outline-focus'

const cellClass: Record<ToggleStyleProps, string> = {
  row: `${cell} bg-surface px-3 hover:bg-hover has-data-focus-visible:-outline-offset-2 data-disabled:bg-sunken data-selected:not-data-disabled:bg-accent-soft`,
  list: `${cell} rounded-md px-2 hover:bg-hover data-disabled:bg-transparent data-selected:bg-accent-soft`,
}

/** The whole segment is clickable, including its help. */
const labelClass =
  'flex cursor-pointer items-center gap-2.5 after:absolute after:inset-0 group-data-disabled/option:cursor-not-allowed'

function Frame({
  options,
  look,
  onKeyDown,
  children,
}: {
  options: readonly ToggleOption[]
  look: ToggleStyleProps
  onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined
  children: ReactNode
}) {
  return (
    <div
      role="presentation"
      className={classNames('grid text-sm', frameClass[look])}
      style={look === 'row' ? { gridTemplateColumns: optionColumns(options) } : undefined}
      {...(onKeyDown && { onKeyDown })}
    >
      {children}
    </div>
  )
}

function OptionText({ option }: { option: ToggleOption }) {
  return (
    <>
      <span className="relative z-1 min-w-0 flex-1 group-data-disabled/option:text-muted">
        {option.label}
      </span>
      {option.shortcut && (
        <span aria-hidden="true" className="pointer-coarse:hidden">
          <Kbd>{option.shortcut}</Kbd>
        </span>
      )}
    </>
  )
}

function OptionHelp({ option }: { option: ToggleOption }) {
  if (!option.help) return null
  return (
    <Text slot="description" className="ml-7.5 text-muted">
      {option.help}
    </Text>
  )
}
