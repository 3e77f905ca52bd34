import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { AcceptReason } from '../../../../shared/reviews/accept-reasons.ts'
import type { Hold } from '../../../../shared/reviews/holds.ts'
import { REJECTION_REASON_NAMES, type RejectionReason } from '../../../../shared/uploads/upload-states.ts'
import { client } from '../../../api/client.ts'
import { describeRelease } from '../../uploads/release-time.ts'
import { describeNotShown } from '../not-shown.tsx'
import { ACCEPT_UPLOAD, REJECT_UPLOAD, type Upload } from '../upload.queries.ts'
import { canDecideNow, type DecisionGuard } from './decision-guard.ts'
import { useSeenVersion } from './use-seen-version.ts'
import { useSendVerdict } from './use-send-verdict.ts'
import { useShownTime } from './use-shown-time.ts'

/**
 * The verdict on one upload; each upload has its own mounted component. It is sent with the version that
 * the reviewer has seen, so that the server rejects it if anything has changed since.
 */
export function useVerdict(upload: Upload, openedIds: ReadonlySet<string>, onReload: () => Promise<unknown>) {
  const { id, version, number, patient, can } = upload
  const isSending = useRef(false)
  const shown = useShownTime()
  const { seenVersion, isNewer, isClosing, forget, ...seen } = useSeenVersion(upload, shown, isSending)
  const goToNext = useGoToNext(upload)
  const { isDeciding, sendVerdict } = useSendVerdict(isSending, {
    onSent: goToNext,
    onUndone: useGoToUpload(id),
    onConflict: async () => {
      forget()
      await onReload().catch(() => undefined)
    },
  })
  const guard = (): DecisionGuard =>
    canDecideNow({
      version,
      seenVersion,
      shownAt: shown.shownAt.current,
      now: performance.now(),
      isDeciding: isSending.current,
    })

  return {
    guard,
    /** Whether a verdict is being sent; unlike `isDeciding` at once. */
    isSending: () => isSending.current,
    isDeciding,
    /** Whether a colleague has changed the upload, and it still needs a verdict. */
    isChanged: !isDeciding && isNewer && can.decide,
    /** Whether a colleague has decided, or the upload has left the review for another reason. */
    isClosed: !isDeciding && isNewer && isClosing,
    ...seen,
    isShownLongEnough: shown.isShownLongEnough,
    onShown: shown.onShown,
    goToNext,
    /** Accepts the upload; `held` says why it is right although the gate holds it for what was shown. */
    accept: async (held?: { reason: AcceptReason; comment: string; shownHolds: readonly Hold[] }) => {
      if (guard() !== 'open') return true
      return sendVerdict(async () => {
        const variables = {
          id,
          version,
          openedFileIds: [...openedIds],
          ...(held && { ...held, shownHolds: listShown(held.shownHolds) }),
        }
        const { data } = await client.mutate({ mutation: ACCEPT_UPLOAD, variables, fetchPolicy: 'no-cache' })
        return (
          data && {
            outcome: data.acceptUpload,
            description: describeOutcome(data.acceptUpload, upload),
          }
        )
      }, `Nr. ${number} acceptată: ${patient?.name}`)
    },
    /** Rejects the upload. The dialog before it makes waiting for the document unnecessary. */
    reject: async (reason: RejectionReason, comment: string) => {
      if (['changed', 'deciding'].includes(guard())) return true
      return sendVerdict(
        async () => {
          const variables = { id, version, reason, comment: comment || null }
          const { data } = await client.mutate({
            mutation: REJECT_UPLOAD,
            variables,
            fetchPolicy: 'no-cache',
          })
          return data && { outcome: data.rejectUpload, description: REJECTION_REASON_NAMES[reason] }
        },
        `Nr. ${number} respinsă${patient ? `: ${patient.name}` : ''}`,
      )
    },
  }
}

/** Returns the holds as the server takes them; it knows by itself which files were not opened. */
const listShown = (holds: readonly Hold[]) =>
  holds.flatMap(({ kind, what = null, value = null, fileId }) =>
    kind === 'unopened' ? [] : [{ kind, what, value, fileId }],
  )

export type Verdict = ReturnType<typeof useVerdict>

/**
 * Returns a function that navigates to the upload that was next before the verdict, since the response counts
 * from the upload's new position; to the queue if there was none.
 */
function useGoToNext({ nextInReview }: Upload): () => Promise<void> {
  const navigate = useNavigate()
  return () =>
    nextInReview
      ? navigate({ to: '/uploads/$uploadId', params: { uploadId: nextInReview } })
      : navigate({ to: '/uploads' })
}

/** Returns a function that navigates back to this upload, also after the page has moved on. */
function useGoToUpload(id: string): () => Promise<void> {
  const navigate = useNavigate()
  return () => navigate({ to: '/uploads/$uploadId', params: { uploadId: id } })
}

function describeOutcome(
  { state, releaseAt }: Pick<Upload, 'state' | 'releaseAt'>,
  { institution, notShown }: Pick<Upload, 'institution' | 'notShown'>,
): string {
  if (state === 'in_review') return 'Este prima din două verificări. O mai verifică un coleg.'
  if (state === 'accepted') return `${describeRelease(releaseAt, Date.now())}.`
  if (!institution) return 'A fost eliberată.'
  if (notShown) return `A fost eliberată. ${describeNotShown({ institution, notShown, state })}`
  return institution.isSuspended
    ? `A fost eliberată. ${institution.name} este suspendată: o vede după reactivare.`
    : `A fost eliberată către ${institution.name}.`
}
