import { useRouter } from '@tanstack/react-router'
import { ToggleButton } from 'react-aria-components'
import tokens from '../styles/tokens.css?raw'
import { Button } from '../ui/base/button.tsx'
import { buttonClass } from '../ui/base/button-styles.ts'
import { ColourModeSwitch } from '../ui/colour-mode/colour-mode-switch.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import { useAddress, writeAddress } from './address.ts'

const accents = [...tokens.matchAll(/\[data-accent="(\w+)"\]/g)].flatMap(([, name]) => name ?? [])

/** The display settings: colour mode, accent, width. */
export function Toolbar() {
  const router = useRouter()
  const address = useAddress()
  const change = (part: Partial<typeof address>) =>
    void router.navigate({ href: writeAddress({ ...address, ...part }), replace: true })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ColourModeSwitch />
      <Menu
        label="Accent"
        trigger={<Button trailingIcon="chevron-down">Accent: {address.accent}</Button>}
        sections={[
          {
            title: 'Accent',
            items: accents.map((name) => ({ id: name, label: name })),
            selected: address.accent,
            onSelect: (accent) => change({ accent }),
          },
        ]}
      />
      {address.component && (
        <ToggleButton
          isSelected={address.isNarrow}
          onChange={(isNarrow) => change({ isNarrow })}
          className={buttonClass({
            className: 'max-sm:hidden data-selected:bg-accent-soft data-selected:text-accent-ink',
          })}
        >
          Pe telefon, 360 px
        </ToggleButton>
      )}
    </div>
  )
}
