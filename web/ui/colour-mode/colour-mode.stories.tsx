import type { Stories } from '../../catalogue/stories.ts'
import { IconButton } from '../base/button.tsx'
import { Menu } from '../overlays/menu.tsx'
import { useColourMode } from './colour-mode.ts'
import { useColourModeSection } from './colour-mode-section.ts'
import { ColourModeSwitch } from './colour-mode-switch.tsx'

const ColourModeState = () => <output className="font-mono text-sm">{JSON.stringify(useColourMode())}</output>

function InMenu() {
  const section = useColourModeSection()
  return (
    <Menu label="Contul meu" trigger={<IconButton icon="settings" label="Aspect" />} sections={[section]} />
  )
}

export default {
  alegere: ColourModeSwitch,
  'alegere într-un meniu': InMenu,
  starea: ColourModeState,
} satisfies Stories
