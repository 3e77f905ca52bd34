import { formatDate } from '../../../shared/romania/romanian.ts'
import { Icon } from '../../ui/base/icon.tsx'
import type { Upload } from './upload.queries.ts'

/** Says before the verdict and the release that the institution will not see the upload, and why. */
export function NotShownNotice({ upload }: { upload: Upload }) {
  const reason = describeNotShown(upload)
  if (reason === null) return null
  return (
    <p role="status" className="flex gap-2 text-sm text-warning">
      <Icon name="warning" size={18} className="mt-px" />
      <span className="min-w-0 flex-1 break-words">{reason}</span>
    </p>
  )
}

/** Returns why the institution does not see the upload, or will not after its release; null if it does. */
export function describeNotShown({
  institution,
  notShown,
  state,
}: Pick<Upload, 'institution' | 'notShown' | 'state'>): string | null {
  if (!institution || !notShown) return null
  const sight = state === 'released' ? 'nu vede rezultatul' : 'nu va vedea rezultatul'
  return `${institution.name} ${sight}: ${describeReason(notShown)}.`
}

function describeReason({ reason, endedOn }: NonNullable<Upload['notShown']>): string {
  if (reason === 'ended')
    return `trimiterea pacientului s-a încheiat${endedOn ? ` pe ${formatDate(endedOn)}` : ''}`
  if (reason === 'mistaken') return 'trimiterea pacientului a fost greșită'
  return 'nu a trimis pacientul'
}
