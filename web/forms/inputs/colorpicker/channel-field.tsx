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

/** How many steps a key is worth. */
const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }

const PARTLY_A_NUMBER = /^-?\d*[.,]?\d*$/
const asText = (value: number) => String(value).replace('.', ',')

/** One channel as a number, clamped while it is typed and stepped with the arrow keys [5.1]. */
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
  /** What is being typed: `0,` is not yet what it becomes. */
  const [typed, setTyped] = useState<string | null>(null)
  const { max, step } = CHANNELS[channel]

  const type = (text: string) => {
    if (!PARTLY_A_NUMBER.test(text)) return
    setTyped(text)
    if (!/\d/.test(text)) return
    const number = Number(text.replace(',', '.'))
    const clamped = clampChannel(channel, number)
    if (clamped !== number) setTyped(asText(clamped))
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
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={value}
        inputMode={step < 1 ? 'decimal' : 'numeric'}
        autoComplete="off"
        value={typed ?? asText(value)}
        onChange={(event) => type(event.target.value)}
        onKeyDown={stepWithKeys}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(null)}
        className="w-0 min-w-0 flex-1 self-stretch bg-transparent py-1.5 pr-2.5 pl-1 text-end outline-none"
      />
    </div>
  )
}
