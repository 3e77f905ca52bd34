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

const NOT_A_COLOR_MESSAGE = 'Aceasta nu este o culoare. Scrie, de exemplu, #1d4ed8 sau rgb(29, 78, 216).'
const NOT_OPAQUE_MESSAGE = 'Culoarea nu poate fi transparentă.'

export interface ColorpickerProps extends FieldBaseProps {
  /** In the notation of `format`; '' for no colour. */
  value: string
  onChange: (value: string) => void
  /** Called with the error of the text whenever the error changes; null for no error. */
  onErrorChange: (sentence: string | null) => void
  format: ColorFormat
  hasAlpha: boolean
  swatches: readonly (Swatch | SwatchGroup)[]
  isRequired?: boolean
  isDisabled?: boolean
  autoFocus?: boolean
  onBlur: () => void
}

/** A text field for a colour in any notation, with a button that opens the colour panel [3.8]. */
export function Colorpicker({
  value,
  onChange,
  onErrorChange,
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
    // The form changed the value, so the text follows. For the field's own changes the state is kept, because
    // a grey would lose its hue.
    if (value !== (color ? formatColorText(color, format) : '')) setShown(read(value))
  }

  const findError = (typed: string) => {
    const parsed = parseColorText(typed)
    if (!parsed) return typed.trim() === '' ? null : NOT_A_COLOR_MESSAGE
    return hasAlpha || parsed.alpha === 1 ? null : NOT_OPAQUE_MESSAGE
  }
  const textError = findError(text)
  useEffect(() => {
    onErrorChange(textError)
  }, [textError, onErrorChange])

  const handleInput = (typed: string) => {
    const next = findError(typed) ? null : parseColorText(typed)
    setShown({ color: next, text: typed })
    onChange(next ? formatColorText(next, format) : '')
  }
  const choose = (next: HslaColor) => {
    setShown({ color: next, text: formatColorText(next, format) })
    onChange(formatColorText(next, format))
  }
  const handleBlur = () => {
    if (color) setShown({ color, text: formatColorText(color, format) })
    onBlur()
  }

  return (
    <DialogTrigger onOpenChange={(isOpen) => isOpen || handleBlur()}>
      <TextField
        {...field}
        value={text}
        onChange={handleInput}
        onBlur={handleBlur}
        autoComplete="off"
        spellCheck="false"
        suffix={
          <Button
            aria-label={`Alege culoarea: ${field.label}`}
            data-tooltip="Alege culoarea"
            isDisabled={!!field.isDisabled}
            className="hit-square flex items-center justify-center rounded-md"
          >
            <ColorSample color={color ? formatColorText(color, 'hsla') : ''} size={33} />
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
