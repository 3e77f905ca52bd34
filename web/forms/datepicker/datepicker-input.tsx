import { useDraft } from '../draft.ts'
import { defineInput, fieldLook, type InputProps, useFieldValue } from '../input.ts'
import { useOwnFault } from '../own-fault.ts'
import type { DateBounds } from './date-bounds.ts'
import type { DateRange } from './date-fault.ts'
import { DateRangePicker } from './date-range-picker.tsx'
import { formatDateText } from './date-text.ts'
import { Datepicker } from './datepicker.tsx'

export interface DatepickerInputProps extends DateBounds {
  /** Two days, from and to; the value is then a pair. */
  range?: boolean | undefined
  placeholder?: string | undefined
}

type Value = string | DateRange | null

function DatepickerInput({ context }: InputProps<DatepickerInputProps, Value>) {
  const { range, placeholder, min, max, disabledDates, explainDisabled } = context
  const [value, setValue] = useFieldValue(context)
  const { fault, setFault, error } = useOwnFault(context)
  useDraft(context.node, fault !== null && !value)
  const shared = {
    ...fieldLook(context),
    error,
    onFault: setFault,
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

/** A day or null; with `range` two days or null [3.10]. */
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
