import { useDraft } from '../draft.ts'
import { defineInput, fieldLook, type InputProps, useFieldValue } from '../input.ts'
import { useOwnFault } from '../own-fault.ts'
import { Colorpicker } from './colorpicker.tsx'
import type { ColourFormat } from './colour.ts'
import { ColourSample } from './colour-sample.tsx'
import type { Swatch, SwatchGroup } from './colour-swatches.tsx'

export interface ColorpickerInputProps {
  /** How the value is written; `hex` unless told. */
  format?: ColourFormat | undefined
  /** Colours that are offered, alone or in groups. */
  swatches?: readonly (Swatch | SwatchGroup)[] | undefined
  /** `false`: the colour is opaque. */
  hasAlpha?: boolean | undefined
}

function ColorpickerInput({ context }: InputProps<ColorpickerInputProps, string>) {
  const { format = 'hex', swatches = [], hasAlpha = true } = context
  const [value, setValue] = useFieldValue(context)
  const { fault, setFault, error } = useOwnFault(context)
  useDraft(context.node, fault !== null && !value)
  return (
    <Colorpicker
      {...fieldLook(context)}
      error={error}
      value={value ?? ''}
      onChange={setValue}
      onFault={setFault}
      format={format}
      swatches={swatches}
      hasAlpha={hasAlpha}
    />
  )
}

/** A colour [3.8]; its value is text in the notation of `format`, or ''. */
export const colorpicker = defineInput<ColorpickerInputProps, string>(
  ColorpickerInput,
  ['format', 'swatches', 'hasAlpha'],
  {
    showValue: (colour) => (
      <span className="inline-flex items-center gap-1.5">
        <ColourSample colour={colour} className="size-4" />
        {colour}
      </span>
    ),
  },
)
