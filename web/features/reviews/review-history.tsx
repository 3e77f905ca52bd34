import { lookUp } from '../../../shared/look-up.ts'
import { ACCEPT_REASON_NAMES } from '../../../shared/reviews/accept-reasons.ts'
import { describeHolds, type Hold } from '../../../shared/reviews/holds.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { REJECTION_REASON_NAMES } from '../../../shared/uploads/upload-states.ts'
import { Icon } from '../../ui/base/icon.tsx'
import type { Upload } from './upload.queries.ts'

/** Only `other` is in both lists. */
const REASON_NAMES = { ...ACCEPT_REASON_NAMES, ...REJECTION_REASON_NAMES }

/** Lists the verdicts on the upload, newest first. */
export function ReviewHistory({ reviews }: { reviews: Upload['reviews'] }) {
  return (
    <ol className="grid gap-4">
      {reviews.map(({ id, reasonCode, comment, createdAt, reviewerName, holds, undoneAt, ...review }) => {
        const isAccepted = review.verdict === 'accepted'
        return (
          <li key={id} className="flex gap-3 text-sm">
            <Icon
              name={isAccepted ? 'check-circle' : 'error'}
              size={18}
              className={isAccepted ? 'mt-0.5 text-success' : 'mt-0.5 text-danger'}
            />
            <div className="min-w-0">
              <p>
                <span className="font-medium">{isAccepted ? 'Acceptată' : 'Respinsă'}</span>{' '}
                {review.isAutomatic ? 'automat' : `de ${reviewerName}`}
                {review.isFirst && ' (prima din două verificări)'}
                {undoneAt && <span className="font-medium text-muted"> · anulat</span>}
              </p>
              {reasonCode && <p className="mt-0.5">{lookUp(REASON_NAMES, reasonCode)}</p>}
              {describeHolds(holds as Hold[]).map((sentence) => (
                <p key={sentence} className="mt-0.5 break-words">
                  {sentence}
                </p>
              ))}
              {comment && <p className="mt-0.5 break-words whitespace-pre-line text-muted">{comment}</p>}
              <time dateTime={createdAt} className="mt-0.5 block text-muted">
                {formatDateTime(createdAt)}
              </time>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
