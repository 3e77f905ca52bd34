import { useMutation } from '@apollo/client/react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { REJECTION_REASON_NAMES, type RejectionReason } from '../../../shared/uploads/upload-states.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { describeRelease } from '../uploads/release-time.ts'
import { canDecideNow, type DecisionGuard, MIN_SHOWN_MS } from './decision-guard.ts'
import { ACCEPT_UPLOAD, REJECT_UPLOAD, type Upload } from './upload.queries.ts'
import { showVerdict } from './verdict-toast.ts'

/**
 * The verdict on one upload; each upload has its own mounted component. It is sent with the version that
 * the reviewer has seen, so that the server rejects it if anything has changed since.
 */
export function useVerdict(upload: Upload, onReload: () => Promise<unknown>) {
  const navigate = useNavigate()
  const [seenVersion, setSeenVersion] = useState<number | null>(upload.version)
  const [isDeciding, setDeciding] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const shownAt = useRef<number | null>(null)
  /** The value of `shownAt` as state, for rendering. */
  const [shownSince, setShownSince] = useState<number | null>(null)
  const [isSettled, setSettled] = useState(false)
  // A ref, because it changes before the next render: two quick keys must not both give a verdict.
  const decided = useRef(false)
  const [acceptUpload] = useMutation(ACCEPT_UPLOAD)
  const [rejectUpload] = useMutation(REJECT_UPLOAD)
  const { id, version, number, patient, institution, nextInReview } = upload

  const isNewer = !isDeciding && !isChanging && (seenVersion === null || version > seenVersion)
  const couldDecide = useRef(upload.can.decide)
  if (version === seenVersion) couldDecide.current = upload.can.decide
  const isClosing = couldDecide.current && !upload.can.decide

  const recordShown = useCallback(() => {
    shownAt.current = performance.now()
    setShownSince(shownAt.current)
  }, [])
  const guard = (): DecisionGuard =>
    canDecideNow({
      version,
      seenVersion,
      shownAt: shownAt.current,
      now: performance.now(),
      isDeciding: decided.current,
    })

  // The cached upload is shown first; a newer version that arrives before a verdict was possible counts as
  // seen. If another reviewer has decided, that is always reported once the document is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only for a new version
  useLayoutEffect(() => {
    const at = shownAt.current
    if (decided.current || (at !== null && (isClosing || performance.now() - at >= MIN_SHOWN_MS))) return
    if (at !== null) recordShown()
    setSeenVersion(version)
  }, [version, recordShown])
  useEffect(() => {
    if (shownSince === null) return
    const timer = setTimeout(() => setSettled(true), MIN_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shownSince])

  /**
   * Navigates to the upload that was next before the verdict, since the response counts from the upload's new
   * position.
   */
  const goToNext = async () => {
    if (nextInReview) {
      await navigate({ to: '/uploads/$uploadId', params: { uploadId: nextInReview } })
    } else {
      await navigate({ to: '/uploads' })
    }
  }

  /**
   * Sends a verdict; `send` resolves to the description of the outcome. Resolves to whether the dialog can
   * close: false if the verdict can be retried unchanged.
   */
  const decide = async (send: () => Promise<string>, title: string): Promise<boolean> => {
    decided.current = true
    setDeciding(true)
    let description: string
    try {
      description = await send()
    } catch (error) {
      const isStale = errorCode(error) === 'CONFLICT'
      if (isStale) {
        setSeenVersion(null)
        await onReload().catch(() => undefined)
      } else {
        showVerdict({
          tone: 'error',
          title: 'Verdictul nu a fost înregistrat',
          description: errorMessage(error),
        })
      }
      decided.current = false
      setDeciding(false)
      return isStale
    }
    showVerdict({ tone: 'success', title, description })
    await goToNext()
    return true
  }

  return {
    guard,
    isDeciding,
    /** Whether a colleague has changed the upload, and it still needs a verdict. */
    isChanged: isNewer && upload.can.decide,
    /** Whether a colleague has decided, or the upload has left the review for another reason. */
    isClosed: isNewer && isClosing,
    /**
     * Runs a change that the user makes on this page; `change` returns the new version, or undefined if
     * nothing has changed.
     */
    changeOwn: async (change: () => Promise<number | undefined>) => {
      setChanging(true)
      try {
        const changed = await change()
        if (changed !== undefined) setSeenVersion(changed)
      } finally {
        setChanging(false)
      }
    },
    /** Marks a version as seen, after the reviewer has seen the changes or has made them. */
    acknowledge: (changed = version) => setSeenVersion(changed),
    /** Whether the document has been on the screen for `MIN_SHOWN_MS`. */
    isSettled,
    onShown: () => {
      if (shownAt.current === null) recordShown()
    },
    goToNext,
    /**
     * Accepts the upload; `mismatchReason` says why a file with another person's CNP still belongs to the
     * patient.
     */
    accept: async (mismatchReason: string | null) => {
      if (guard() !== 'open') return true
      return decide(async () => {
        const { data } = await acceptUpload({ variables: { id, version, mismatchReason } })
        return data ? describeOutcome(data.acceptUpload, institution) : ''
      }, `Nr. ${number} acceptată: ${patient?.name}`)
    },
    /** Rejects the upload. The dialog before it makes waiting for the document unnecessary. */
    reject: async (reason: RejectionReason, comment: string) => {
      if (['changed', 'deciding'].includes(guard())) return true
      return decide(
        async () => {
          await rejectUpload({ variables: { id, version, reason, comment: comment || null } })
          return REJECTION_REASON_NAMES[reason]
        },
        `Nr. ${number} respinsă${patient ? `: ${patient.name}` : ''}`,
      )
    },
  }
}

function describeOutcome(
  { state, releaseAt }: Pick<Upload, 'state' | 'releaseAt'>,
  institution: Upload['institution'],
): string {
  if (state === 'in_review') return 'Este prima din două verificări. O mai verifică un coleg.'
  if (state === 'accepted') return `${describeRelease(releaseAt, Date.now())}.`
  if (!institution) return 'Rezultatul a fost eliberat.'
  return institution.isSuspended
    ? `Rezultatul a fost eliberat. ${institution.name} este suspendată: îl vede după reactivare.`
    : `Rezultatul a fost eliberat către ${institution.name}.`
}
export type Verdict = ReturnType<typeof useVerdict>
