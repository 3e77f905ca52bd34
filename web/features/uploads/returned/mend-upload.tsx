import { lookUp } from '../../../../shared/look-up.ts'
import type { UploadState } from '../../../../shared/uploads/upload-state-list.ts'
import { REJECTION_REASON_NAMES } from '../../../../shared/uploads/upload-states.ts'
import { LinkButton } from '../../../ui/base/button.tsx'

type Rejection = {
  verdict: string
  reasonCode: string | null
  comment: string | null
  reviewerName: string
  undoneAt: string | null
}
/** An upload that came back to its author, with its verdicts, the newest first. */
type ReturnedUpload = { id: string; number: number; state: UploadState; reviews: readonly Rejection[] }

/** Leads to the dialog in which the upload is mended, or says what its author does with it. */
export function MendUpload({
  upload: { id, number, state, reviews },
  tabIndex,
}: {
  upload: ReturnedUpload
  tabIndex?: number | undefined
}) {
  const reason = lastRejection(reviews)?.reasonCode
  const mend = findMend(state, reason)
  if (!mend) return nextStep(state, reason)
  return (
    <LinkButton
      to="/uploads/$uploadId"
      params={{ uploadId: id }}
      search={{ mend: mend.dialog }}
      icon={mend.icon}
      tabIndex={tabIndex}
      aria-label={`${mend.label}: nr. ${number}`}
    >
      {mend.label}
    </LinkButton>
  )
}

/** Why a reviewer has rejected an upload, and who; nothing for one that was not rejected. */
export function RejectionReason({ reviews }: Pick<ReturnedUpload, 'reviews'>) {
  const rejection = lastRejection(reviews)
  if (!rejection) return null
  return (
    <span className="min-w-0">
      <span className="block font-medium">{lookUp(REJECTION_REASON_NAMES, rejection.reasonCode)}</span>
      {rejection.comment && <span className="block break-words text-muted">{rejection.comment}</span>}
      <span className="block text-muted">{rejection.reviewerName}</span>
    </span>
  )
}

const MENDS = {
  patient: { dialog: 'edit', icon: 'user', label: 'Alege pacientul' },
  category: { dialog: 'edit', icon: 'pencil', label: 'Alege categoria' },
  files: { dialog: 'add-files', icon: 'upload', label: 'Adaugă fișiere' },
} as const

function findMend(state: UploadState, reason: string | null | undefined) {
  if (state === 'unassigned' || reason === 'wrong-patient') return MENDS.patient
  if (reason === 'wrong-category') return MENDS.category
  return reason === 'wrong-file' || reason === 'unreadable' || reason === 'incomplete' ? MENDS.files : null
}

function nextStep(state: UploadState, reason: string | null | undefined): string {
  if (state === 'quarantined') return 'Retrage-o, apoi încarcă din nou fișierele bune și pe cele corectate.'
  if (reason === 'duplicate') return 'Retrage-o: rezultatul a fost trimis deja.'
  return 'Deschide-o, corecteaz-o conform motivului și trimite-o din nou, sau retrage-o.'
}

const lastRejection = (reviews: readonly Rejection[]) =>
  reviews.find(({ verdict, undoneAt }) => verdict === 'rejected' && !undoneAt)
