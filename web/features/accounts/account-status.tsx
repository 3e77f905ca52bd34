import { ACCOUNT_STATUS_NAMES } from '../../../shared/account-statuses.ts'
import type { IconName } from '../../ui/icon.tsx'
import { StatusPill, type Tone } from '../../ui/status-pill.tsx'
import { isInvitationOver } from './account-words.ts'

const LOOKS: Record<string, { icon: IconName; tone: Tone; name: string }> = {
  active: { icon: 'check', tone: 'success', name: ACCOUNT_STATUS_NAMES.active },
  invited: { icon: 'envelope', tone: 'info', name: ACCOUNT_STATUS_NAMES.invited },
  suspended: { icon: 'ban', tone: 'warning', name: ACCOUNT_STATUS_NAMES.suspended },
}
const OVER = { icon: 'clock', tone: 'warning', name: 'Invitație expirată' } as const

const SHUT_OUT = { icon: 'ban', tone: 'warning', name: 'Instituție suspendată' } as const

type StatusFacts = Parameters<typeof isInvitationOver>[0] & { isShutOut: boolean }

export function AccountStatus({ user }: { user: StatusFacts }) {
  const { icon, tone, name } = user.isShutOut
    ? SHUT_OUT
    : isInvitationOver(user, new Date())
      ? OVER
      : (LOOKS[user.status] ?? { icon: 'help', tone: 'neutral', name: user.status })
  return (
    <StatusPill icon={icon} tone={tone}>
      {name}
    </StatusPill>
  )
}
