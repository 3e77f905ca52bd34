import { useId } from 'react'
import { PlainIcon, type PlainIconName } from '../plain/plain-icon.tsx'
import { type ColourPreference, setColourPreference, useColourMode } from './colour-mode.ts'

const CHOICES: { id: ColourPreference; label: string; icon: PlainIconName }[] = [
  { id: 'light', label: 'Luminos', icon: 'sun' },
  { id: 'dark', label: 'Întunecat', icon: 'moon' },
  { id: 'system', label: 'Ca sistemul', icon: 'monitor' },
]

/** The choice of colour mode as plain radio buttons, for pages that do not load the menu. */
export function ColourModeSwitch() {
  const { preference } = useColourMode()
  const group = useId()
  return (
    <fieldset className="flex">
      <legend className="sr-only">Aspect</legend>
      {CHOICES.map(({ id, label, icon }) => (
        <label
          key={id}
          className="hit-square relative flex cursor-pointer items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink has-checked:bg-pressed has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name={group}
            checked={preference === id}
            onChange={() => setColourPreference(id)}
            aria-label={label}
            data-tooltip={label}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          <PlainIcon name={icon} />
        </label>
      ))}
    </fieldset>
  )
}
