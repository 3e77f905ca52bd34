import { ACCOUNT_STATUS_NAMES } from '../../../shared/access/account-statuses.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'
import { isInvitationOver } from './account-labels.ts'

const STATUS_STYLES: Record<string, { icon: IconName; tone: Tone; name: string }> = {
  active: { icon: 'check', tone: 'success', name: ACCOUNT_STATUS_NAMES.active },
  invited: { icon: 'envelope', tone: 'info', name: ACCOUNT_STATUS_NAMES.invited },
  suspended: { icon: 'ban', tone: 'warning', name: ACCOUNT_STATUS_NAMES.suspended },
}
const INVITATION_EXPIRED = { icon: 'clock', tone: 'warning', name: 'Invitație expirată' } as const

const INSTITUTION_SUSPENDED = { icon: 'ban', tone: 'warning', name: 'Instituție suspendată' } as const

type StatusFields = Parameters<typeof isInvitationOver>[0] & { isShutOut: boolean }

export function AccountStatus({ user }: { user: StatusFields }) {
  const { icon, tone, name } = user.isShutOut
    ? INSTITUTION_SUSPENDED
    : isInvitationOver(user, new Date())
      ? INVITATION_EXPIRED
      : (STATUS_STYLES[user.status] ?? { icon: 'help', tone: 'neutral', name: user.status })
  return (
    <StatusPill icon={icon} tone={tone}>
      {name}
    </StatusPill>
  )
}
