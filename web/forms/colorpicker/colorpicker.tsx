import { Suspense, useEffect, useState } from 'react'
import { Button, DialogTrigger, Popover } from 'react-aria-components'
import { classNames } from '../../ui/class-names.ts'
import type { FieldLook } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Spinner } from '../../ui/loading.tsx'
import { popoverClass } from '../../ui/popover.ts'
import { TextField } from '../../ui/text-field.tsx'
import { type Colour, type ColourFormat, formatColour, parseColour } from './colour.ts'
import { ColourSample } from './colour-sample.tsx'
import type { Swatch, SwatchGroup } from './colour-swatches.tsx'

const ColourPanel = lazyPart(() => import('./colour-panel.tsx'), 'ColourPanel')

const NO_COLOUR = 'Aceasta nu este o culoare. Scrie, de exemplu, #1d4ed8 sau rgb(29, 78, 216).'
const NOT_OPAQUE = 'Culoarea nu poate fi transparentă.'

export interface ColorpickerProps extends FieldLook {
  /** In the notation of `format`; '' is none. */
  value: string
  onChange: (value: string) => void
  /** What is wrong with the text that stands in the field, whenever that changes. */
  onFault: (sentence: string | null) => void
  format: ColourFormat
  hasAlpha: boolean
  swatches: readonly (Swatch | SwatchGroup)[]
  isRequired?: boolean
  isDisabled?: boolean
  autoFocus?: boolean
  onBlur: () => void
}

/** A colour typed in any notation, or chosen in the panel that its preview opens [3.8]. */
export function Colorpicker({
  value,
  onChange,
  onFault,
  format,
  hasAlpha,
  swatches,
  onBlur,
  ...field
}: ColorpickerProps) {
  const read = (text: string) => {
    const colour = parseColour(text)
    return { colour, text: colour ? formatColour(colour, format) : text }
  }
  const [{ colour, text }, setShown] = useState(() => read(value))
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    // Changed from outside: what is shown follows. Else a grey would lose the hue that it has in the panel.
    if (value !== (colour ? formatColour(colour, format) : '')) setShown(read(value))
  }

  const faultOf = (typed: string) => {
    const parsed = parseColour(typed)
    if (!parsed) return typed.trim() === '' ? null : NO_COLOUR
    return hasAlpha || parsed.alpha === 1 ? null : NOT_OPAQUE
  }
  const fault = faultOf(text)
  useEffect(() => {
    onFault(fault)
  }, [fault, onFault])

  const type = (typed: string) => {
    const next = faultOf(typed) ? null : parseColour(typed)
    setShown({ colour: next, text: typed })
    onChange(next ? formatColour(next, format) : '')
  }
  const choose = (next: Colour) => {
    setShown({ colour: next, text: formatColour(next, format) })
    onChange(formatColour(next, format))
  }
  const leave = () => {
    if (colour) setShown({ colour, text: formatColour(colour, format) })
    onBlur()
  }

  return (
    <DialogTrigger onOpenChange={(isOpen) => isOpen || leave()}>
      <TextField
        {...field}
        value={text}
        onChange={type}
        onBlur={leave}
        autoComplete="off"
        spellCheck="false"
        suffix={
          <Button
            aria-label={`Alege culoarea: ${field.label}`}
            data-tooltip="Alege culoarea"
            isDisabled={!!field.isDisabled}
            className="hit-square flex items-center justify-center rounded-md"
          >
            <ColourSample colour={colour ? formatColour(colour, 'hsla') : ''} className="size-[33px]" />
          </Button>
        }
      />
      <Popover placement="bottom end" offset={4} className={classNames(popoverClass, 'p-4')}>
        <Suspense
          fallback={
            <div className="grid size-64 place-items-center">
              <Spinner />
            </div>
          }
        >
          <ColourPanel
            colour={colour}
            onChange={choose}
            format={format}
            hasAlpha={hasAlpha}
            swatches={swatches}
          />
        </Suspense>
      </Popover>
    </DialogTrigger>
  )
}
