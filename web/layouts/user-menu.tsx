import { Button as AriaButton } from 'react-aria-components'
import { Icon } from '../ui/base/icon.tsx'
import { useColourModeSection } from '../ui/colour-mode/colour-mode-section.ts'
import { Avatar } from '../ui/icons/avatar.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import type { SignedInUser } from './navigation.ts'

export interface UserMenuProps {
  user: SignedInUser
  onAccount: () => void
  onSignOut: () => void
  /** Whether only the initials are shown; screen readers read the name. */
  isCompact?: boolean | undefined
}

export function UserMenu({ user, onAccount, onSignOut, isCompact }: UserMenuProps) {
  const colourMode = useColourModeSection()
  return (
    <Menu
      label="Contul meu"
      placement={isCompact ? 'bottom end' : 'top start'}
      trigger={isCompact ? <CompactTrigger user={user} /> : <WideTrigger user={user} />}
      header={
        <div className="grid max-w-72 text-sm">
          <span className="font-medium break-words">{user.name}</span>
          <span className="text-muted">{user.role}</span>
          {user.email && <span className="truncate text-muted">{user.email}</span>}
        </div>
      }
      sections={[
        colourMode,
        {
          items: [
            { id: 'account', label: 'Setările contului', icon: 'shield-check', onAction: onAccount },
            { id: 'sign-out', label: 'Deconectare', icon: 'log-out', onAction: onSignOut },
          ],
        },
      ]}
    />
  )
}

function CompactTrigger({ user }: { user: SignedInUser }) {
  return (
    <AriaButton
      aria-label={`Contul meu: ${user.name}`}
      className="hit-square flex items-center justify-center rounded-full"
    >
      <Avatar name={user.name} />
    </AriaButton>
  )
}

function WideTrigger({ user }: { user: SignedInUser }) {
  return (
    <AriaButton className="flex w-full items-center gap-3 rounded-md px-1 py-2 text-start xl:px-2.5 transition-colors hover:bg-hover data-pressed:bg-pressed">
      <Avatar name={user.name} />
      <span className="grid min-w-0 flex-1 text-sm leading-5 lg:max-xl:sr-only">
        <span className="truncate font-medium">{user.name}</span>
        <span className="truncate text-muted">{user.role}</span>
      </span>
      <Icon name="chevron-up" size={18} className="text-muted lg:max-xl:hidden" />
    </AriaButton>
  )
}
