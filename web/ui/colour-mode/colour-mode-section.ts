import type { IconName } from '../base/icon.tsx'
import type { MenuSection } from '../overlays/menu.tsx'
import { type ColourPreference, setColourPreference, useColourMode } from './colour-mode.ts'

const choices: { id: ColourPreference; label: string; icon: IconName }[] = [
  { id: 'light', label: 'Luminos', icon: 'sun' },
  { id: 'dark', label: 'Întunecat', icon: 'moon' },
  { id: 'system', label: 'Ca sistemul', icon: 'monitor' },
]

/** Returns the choice of colour mode as a section of a menu. */
export function useColourModeSection(): MenuSection {
  const { preference } = useColourMode()
  return {
    title: 'Aspect',
    items: choices,
    selected: preference,
    onSelect: (id) => setColourPreference(id as ColourPreference),
  }
}
