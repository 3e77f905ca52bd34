import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'

/** How an institution follows what it has sent. */
const SENT_STATES: Record<UploadState, { name: string; icon: IconName; tone: Tone }> = {
  receiving: { name: 'neterminată', icon: 'pause', tone: 'warning' },
  checking: { name: 'se controlează', icon: 'pending', tone: 'info' },
  quarantined: { name: 'oprit la control', icon: 'shield-alert', tone: 'danger' },
  unassigned: { name: 'la verificare', icon: 'review', tone: 'info' },
  in_review: { name: 'la verificare', icon: 'review', tone: 'info' },
  accepted: { name: 'verificat', icon: 'check', tone: 'success' },
  released: { name: 'eliberat', icon: 'paper-plane', tone: 'success' },
  rejected: { name: 'respins', icon: 'error', tone: 'danger' },
  replaced: { name: 'înlocuit', icon: 'history', tone: 'neutral' },
  withdrawn: { name: 'retras', icon: 'undo', tone: 'neutral' },
}

export const SentStatePill = ({ state }: { state: UploadState }) => {
  const { name, ...style } = SENT_STATES[state]
  return <StatusPill {...style}>{name}</StatusPill>
}

/** The states in which the sender may withdraw what was sent. */
export const WITHDRAWABLE: ReadonlySet<UploadState> = new Set([
  'quarantined',
  'unassigned',
  'in_review',
  'accepted',
  'rejected',
])
