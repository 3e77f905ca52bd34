import { UPLOAD_STATE_NAMES, type UploadState } from '../../../shared/uploads/upload-states.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'

const STATE_STYLES: Record<UploadState, { icon: IconName; tone: Tone }> = {
  receiving: { icon: 'upload', tone: 'neutral' },
  checking: { icon: 'pending', tone: 'info' },
  quarantined: { icon: 'shield-alert', tone: 'danger' },
  unassigned: { icon: 'user-x', tone: 'warning' },
  in_review: { icon: 'review', tone: 'info' },
  accepted: { icon: 'check', tone: 'success' },
  released: { icon: 'paper-plane', tone: 'success' },
  rejected: { icon: 'error', tone: 'danger' },
  replaced: { icon: 'history', tone: 'neutral' },
  withdrawn: { icon: 'undo', tone: 'neutral' },
}

/** Marks an upload in a list: one of its files names another person. */
export const DisagreeingMark = () => (
  <StatusPill icon="user-x" tone="danger">
    Alt pacient în fișier
  </StatusPill>
)

/** Marks an upload that a user of an institution has sent. */
export const SentByMark = ({ institution }: { institution: string }) => (
  <StatusPill icon="hospital" tone="info">
    Trimis de {institution}
  </StatusPill>
)

/** Shows the state of an upload. */
export const UploadStatePill = ({ state }: { state: UploadState }) => (
  <StatusPill {...STATE_STYLES[state]}>{UPLOAD_STATE_NAMES[state]}</StatusPill>
)
