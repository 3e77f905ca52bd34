import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import { type ColourPreference, setColourPreference, useColourMode } from './colour-mode.ts'

const choices: { id: ColourPreference; label: string; Mark: LucideIcon }[] = [
  { id: 'light', label: 'Luminos', Mark: Sun },
  { id: 'dark', label: 'Întunecat', Mark: Moon },
  { id: 'system', label: 'Ca sistemul', Mark: Monitor },
]

/** The choice of colour mode in native radio buttons, for pages that are there before the menus. */
export function ColourModeSwitch() {
  const { preference } = useColourMode()
  return (
    <fieldset className="flex">
      <legend className="sr-only">Aspect</legend>
      {choices.map(({ id, label, Mark }) => (
        <label
          key={id}
          title={label}
          className="hit-square relative flex cursor-pointer items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink has-checked:bg-pressed has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name="colour-mode"
            checked={preference === id}
            onChange={() => setColourPreference(id)}
            aria-label={label}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          <Mark size={20} strokeWidth={1.75} aria-hidden="true" />
        </label>
      ))}
    </fieldset>
  )
}
