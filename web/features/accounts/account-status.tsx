import type { IconName } from '../../ui/icon.tsx'
import { StatusPill, type Tone } from '../../ui/status-pill.tsx'

const LOOKS: Record<string, { icon: IconName; tone: Tone; name: string }> = {
  active: { icon: 'check', tone: 'success', name: 'Activ' },
  invited: { icon: 'envelope', tone: 'info', name: 'Invitat' },
  suspended: { icon: 'ban', tone: 'warning', name: 'Suspendat' },
}

export function AccountStatus({ status }: { status: string }) {
  const { icon, tone, name } = LOOKS[status] ?? { icon: 'help', tone: 'neutral', name: status }
  return (
    <StatusPill icon={icon} tone={tone}>
      {name}
    </StatusPill>
  )
}
