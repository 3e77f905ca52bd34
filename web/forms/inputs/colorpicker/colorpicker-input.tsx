import { useCustomError } from '../../core/custom-error.ts'
import { defineInput, fieldBaseProps, type InputProps, useFieldValue } from '../../core/input.ts'
import { useDraft } from '../../saved-form/draft.ts'
import type { ColorFormat } from './color.ts'
import { ColorSample } from './color-sample.tsx'
import type { Swatch, SwatchGroup } from './color-swatches.tsx'
import { Colorpicker } from './colorpicker.tsx'

export interface ColorpickerInputProps {
  /** The notation of the value; `hex` by default. */
  format?: ColorFormat | undefined
  /** Predefined colours, with or without groups. */
  swatches?: readonly (Swatch | SwatchGroup)[] | undefined
  /** False accepts only opaque colours. */
  hasAlpha?: boolean | undefined
}

function ColorpickerInput({ context }: InputProps<ColorpickerInputProps, string>) {
  const { format = 'hex', swatches = [], hasAlpha = true } = context
  const [value, setValue] = useFieldValue(context)
  const { customError, setCustomError, error } = useCustomError(context)
  useDraft(context.node, customError !== null && !value)
  return (
    <Colorpicker
      {...fieldBaseProps(context)}
      error={error}
      value={value ?? ''}
      onChange={setValue}
      onErrorChange={setCustomError}
      format={format}
      swatches={swatches}
      hasAlpha={hasAlpha}
    />
  )
}

/** A colour [3.8]; the value is text in the notation of `format`, or ''. */
export const colorpicker = defineInput<ColorpickerInputProps, string>(
  ColorpickerInput,
  ['format', 'swatches', 'hasAlpha'],
  {
    showValue: (colour) => (
      <span className="inline-flex items-center gap-1.5">
        <ColorSample color={colour} size={16} />
        {colour}
      </span>
    ),
  },
)
