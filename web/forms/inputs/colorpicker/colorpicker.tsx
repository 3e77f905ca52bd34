import { Suspense, useEffect, useState } from 'react'
import { Button, DialogTrigger, Popover } from 'react-aria-components'
import { classNames } from '../../../ui/base/class-names.ts'
import { lazyNamed } from '../../../ui/base/lazy.ts'
import { Spinner } from '../../../ui/base/loading.tsx'
import { popoverClass } from '../../../ui/base/popover-styles.ts'
import type { FieldBaseProps } from '../../../ui/controls/field.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { type ColorFormat, formatColorText, type HslaColor, parseColorText } from './color.ts'
import { ColorSample } from './color-sample.tsx'
import type { Swatch, SwatchGroup } from './color-swatches.tsx'

const ColourPanel = lazyNamed(() => import('./color-panel.tsx'), 'ColorPanel')

const NO_COLOR = 'Aceasta nu este o culoare. Scrie, de exemplu, #1d4ed8 sau rgb(29, 78, 216).'
const NOT_OPAQUE = 'Culoarea nu poate fi transparentă.'

export interface ColorpickerProps extends FieldBaseProps {
  /** In the notation of `format`; '' is none. */
  value: string
  onChange: (value: string) => void
  /** What is wrong with the text that stands in the field, whenever that changes. */
  onFault: (sentence: string | null) => void
  format: ColorFormat
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
    const color = parseColorText(text)
    return { color, text: color ? formatColorText(color, format) : text }
  }
  const [{ color, text }, setShown] = useState(() => read(value))
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    // Changed from outside: what is shown follows. Else a grey would lose the hue that it has in the panel.
    if (value !== (color ? formatColorText(color, format) : '')) setShown(read(value))
  }

  const faultOf = (typed: string) => {
    const parsed = parseColorText(typed)
    if (!parsed) return typed.trim() === '' ? null : NO_COLOR
    return hasAlpha || parsed.alpha === 1 ? null : NOT_OPAQUE
  }
  const fault = faultOf(text)
  useEffect(() => {
    onFault(fault)
  }, [fault, onFault])

  const type = (typed: string) => {
    const next = faultOf(typed) ? null : parseColorText(typed)
    setShown({ color: next, text: typed })
    onChange(next ? formatColorText(next, format) : '')
  }
  const choose = (next: HslaColor) => {
    setShown({ color: next, text: formatColorText(next, format) })
    onChange(formatColorText(next, format))
  }
  const leave = () => {
    if (color) setShown({ color, text: formatColorText(color, format) })
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
            <ColorSample color={color ? formatColorText(color, 'hsla') : ''} className="size-[33px]" />
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
            color={color}
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
