import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { UPLOAD_STATE_NAMES } from '../../../shared/uploads/upload-states.ts'
import { classNames } from '../../ui/base/class-names.ts'
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

/** A mark of an upload. `isShort`: an icon alone, with the text as its tooltip, in the rows of a dense table. */
function Mark({ text, isShort, ...style }: { text: string; isShort: boolean; icon: IconName; tone: Tone }) {
  return (
    <span
      {...(isShort && { 'data-tooltip': text })}
      className={classNames(isShort && 'relative z-1 shrink-0 max-lg:block max-lg:mt-1')}
    >
      <StatusPill {...style} className={classNames(isShort && 'lg:gap-0 lg:px-2')}>
        <span className={classNames(isShort && 'lg:sr-only')}>{text}</span>
      </StatusPill>
    </span>
  )
}

/** Marks an upload in a list: one of its files names another person. */
export const DisagreeingMark = ({ isShort = false }: { isShort?: boolean }) => (
  <Mark text="Alt pacient în fișier" isShort={isShort} icon="user-x" tone="danger" />
)

/** Marks an upload that a user of an institution has sent. */
export const SentByMark = ({ institution, isShort = false }: { institution: string; isShort?: boolean }) => (
  <Mark text={`Trimis de ${institution}`} isShort={isShort} icon="hospital" tone="info" />
)

/** Shows the state of an upload. */
export const UploadStatePill = ({ state }: { state: UploadState }) => (
  <StatusPill {...STATE_STYLES[state]}>{UPLOAD_STATE_NAMES[state]}</StatusPill>
)
