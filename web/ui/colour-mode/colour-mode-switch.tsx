import { useId } from 'react'
import { PlainIcon, type PlainIconName } from '../plain/plain-icon.tsx'
import { type ColourPreference, setColourPreference, useColourMode } from './colour-mode.ts'

const choices: { id: ColourPreference; label: string; mark: PlainIconName }[] = [
  { id: 'light', label: 'Luminos', mark: 'sun' },
  { id: 'dark', label: 'Întunecat', mark: 'moon' },
  { id: 'system', label: 'Ca sistemul', mark: 'monitor' },
]

/** The choice of colour mode in native radio buttons, for pages that are there before the menus. */
export function ColourModeSwitch() {
  const { preference } = useColourMode()
  const group = useId()
  return (
    <fieldset className="flex">
      <legend className="sr-only">Aspect</legend>
      {choices.map(({ id, label, mark }) => (
        <label
          key={id}
          title={label}
          className="hit-square relative flex cursor-pointer items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink has-checked:bg-pressed has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name={group}
            checked={preference === id}
            onChange={() => setColourPreference(id)}
            aria-label={label}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          <PlainIcon name={mark} />
        </label>
      ))}
    </fieldset>
  )
}
