import {
  ACCESS_REQUEST_STATE_NAMES,
  type AccessRequestState,
} from '../../../shared/requests/access-requests.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'

const SHOWN: Readonly<Record<AccessRequestState, { icon: IconName; tone: Tone }>> = {
  sent: { icon: 'clock', tone: 'warning' },
  accepted: { icon: 'check', tone: 'success' },
  refused: { icon: 'ban', tone: 'neutral' },
}

export const AccessRequestStatePill = ({ state }: { state: AccessRequestState }) => (
  <StatusPill {...SHOWN[state]}>{ACCESS_REQUEST_STATE_NAMES[state]}</StatusPill>
)
