import type { UploadState } from '../../../shared/uploads/upload-state-list.ts'
import { type WaitingAge as Age, readWaitingAge } from '../../../shared/uploads/waiting-age.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { formatWaitingTime } from './format-waiting-time.ts'

const COLOURS: Record<Age, string> = {
  fresh: '',
  late: 'font-medium text-warning',
  overdue: 'font-medium text-danger',
}

/** How long an upload has been in its state, in words; late ones in colour and with an icon. */
export function WaitingAge({ state, since, now }: { state: UploadState; since: string; now: number }) {
  const age = readWaitingAge(state, since, now)
  return (
    <time dateTime={since} className={classNames('inline-flex items-center gap-1.5', COLOURS[age])}>
      {age !== 'fresh' && <Icon name={age === 'late' ? 'clock' : 'warning'} size={14} />}
      {formatWaitingTime(since, now)}
    </time>
  )
}
