import type { QuestionState } from '../../../shared/requests/questions.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'

const SHOWN: Readonly<Record<QuestionState, { icon: IconName; tone: Tone; name: string }>> = {
  open: { icon: 'clock', tone: 'warning', name: 'așteaptă răspuns' },
  answered: { icon: 'check', tone: 'success', name: 'răspuns primit' },
  closed: { icon: 'check-circle', tone: 'neutral', name: 'închisă' },
}

export function QuestionStatePill({ state, isUnread = false }: { state: QuestionState; isUnread?: boolean }) {
  const { icon, tone, name } = SHOWN[state]
  return (
    <StatusPill icon={icon} tone={isUnread ? 'info' : tone}>
      {isUnread ? `${name}, necitit` : name}
    </StatusPill>
  )
}
