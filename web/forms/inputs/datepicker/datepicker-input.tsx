import { useCustomError } from '../../core/custom-error.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { useDraft } from '../../saved-form/draft.ts'
import type { DateBounds } from './date-bounds.ts'
import type { DateRange } from './date-error.ts'
import { DateRangePicker } from './date-range-picker.tsx'
import { formatDateText } from './date-text.ts'
import { Datepicker } from './datepicker.tsx'

export interface DatepickerInputProps extends DateBounds {
  /** Whether the value is a period: a pair of days. */
  range?: boolean | undefined
  placeholder?: string | undefined
}

type Value = string | DateRange | null

function DatepickerInput({ context }: InputProps<DatepickerInputProps, Value>) {
  const { range, placeholder, min, max, disabledDates, explainDisabled } = context
  const [value, setValue] = useFieldValue(context)
  const { customError, setCustomError, error } = useCustomError(context)
  useDraft(context.node, customError !== null && !value)
  const shared = {
    ...fieldBaseProps(context),
    error,
    onErrorChange: setCustomError,
    placeholder,
    min,
    max,
    disabledDates,
    explainDisabled,
    onChange: setValue,
  }
  return range ? (
    <DateRangePicker {...shared} value={(value as DateRange | undefined) ?? null} />
  ) : (
    <Datepicker {...shared} value={(value as string | undefined) || null} />
  )
}

/** A day or null; with `range`, two days or null [3.10]. */
export const datepicker = defineInput<DatepickerInputProps, Value>(
  DatepickerInput,
  ['range', 'placeholder', 'min', 'max', 'disabledDates', 'explainDisabled'],
  {
    showValue: (value) =>
      typeof value === 'string'
        ? formatDateText(value)
        : `${formatDateText(value.start)} – ${formatDateText(value.end)}`,
  },
)
