import { type KeyboardEvent, useId, useState } from 'react'
import { classNames } from '../../../ui/base/class-names.ts'
import { controlClass, controlRing } from '../../../ui/controls/field-styles.ts'
import { CHANNELS, type Channel, clampChannel } from './color.ts'

const CHANNEL_LABELS: Readonly<Record<Channel, string>> = {
  red: 'Roșu',
  green: 'Verde',
  blue: 'Albastru',
  alpha: 'Alfa',
  hue: 'Nuanță',
  saturation: 'Saturație',
  lightness: 'Luminozitate',
}

/** The number of steps per key. */
const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }

const PARTIAL_NUMBER = /^-?\d*[.,]?\d*$/
const formatNumber = (value: number) => String(value).replace('.', ',')

/** A number field for one channel, clamped while typing and changed in steps with the arrow keys [5.1]. */
export function ChannelField({
  channel,
  value,
  onChange,
}: {
  channel: Channel
  value: number
  onChange: (value: number) => void
}) {
  const id = useId()
  /** The text while typing, which may be incomplete, such as `0,`. */
  const [typed, setTyped] = useState<string | null>(null)
  const { max, step } = CHANNELS[channel]

  const handleInput = (text: string) => {
    if (!PARTIAL_NUMBER.test(text)) return
    setTyped(text)
    if (!/\d/.test(text)) return
    const number = Number(text.replace(',', '.'))
    const clamped = clampChannel(channel, number)
    if (clamped !== number) setTyped(formatNumber(clamped))
    onChange(clamped)
  }

  const stepWithKeys = (event: KeyboardEvent) => {
    const steps = STEPS[event.key]
    if (!steps) return
    event.preventDefault()
    setTyped(null)
    onChange(clampChannel(channel, value + steps * step))
  }

  return (
    <div className={classNames(controlClass, controlRing)}>
      <label htmlFor={id} className="self-center pl-2.5 text-xs text-muted">
        {CHANNEL_LABELS[channel]}
      </label>
      <input
        id={id}
        role="spinbutton"
        min={0}
        max={max}
        step={step}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={value}
        inputMode={step < 1 ? 'decimal' : 'numeric'}
        autoComplete="off"
        value={typed ?? formatNumber(value)}
        onChange={(event) => handleInput(event.target.value)}
        onKeyDown={stepWithKeys}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(null)}
        className="w-0 min-w-0 flex-1 self-stretch bg-transparent py-1.5 pr-2.5 pl-1 text-end outline-none"
      />
    </div>
  )
}
