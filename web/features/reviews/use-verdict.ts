import { useMutation } from '@apollo/client/react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { REJECTION_REASONS, type RejectionReason } from '../../../shared/uploads/upload-states.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { describeRelease } from '../uploads/release-time.ts'
import { canDecideNow, type DecisionGuard, MIN_SHOWN_MS } from './decision-guard.ts'
import { ACCEPT_UPLOAD, REJECT_UPLOAD, type Upload } from './upload.queries.ts'
import { showVerdict } from './verdict-toast.ts'

/**
 * The verdict on one upload; the screen is made anew for each. It is sent with the version that the reviewer has looked
 * at, so that the server refuses it where anything has changed since.
 */
export function useVerdict(upload: Upload, onReload: () => Promise<unknown>) {
  const navigate = useNavigate()
  const [seenVersion, setSeenVersion] = useState<number | null>(upload.version)
  const [isDeciding, setDeciding] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const shownAt = useRef<number | null>(null)
  /** As `shownAt`, for what is drawn. */
  const [shownSince, setShownSince] = useState<number | null>(null)
  const [isSettled, setSettled] = useState(false)
  // Known at once, before anything is drawn again: two keys in one moment must not both find the gate open.
  const decided = useRef(false)
  const [acceptUpload] = useMutation(ACCEPT_UPLOAD)
  const [rejectUpload] = useMutation(REJECT_UPLOAD)
  const { id, version, number, patient, institution, nextInReview } = upload

  const isNewer = !isDeciding && !isChanging && (seenVersion === null || version > seenVersion)
  const couldDecide = useRef(upload.can.decide)
  if (version === seenVersion) couldDecide.current = upload.can.decide
  const isClosing = couldDecide.current && !upload.can.decide

  const noteShown = useCallback(() => {
    shownAt.current = performance.now()
    setShownSince(shownAt.current)
  }, [])
  const gate = (): DecisionGuard =>
    canDecideNow({
      version,
      seenVersion,
      shownAt: shownAt.current,
      now: performance.now(),
      isDeciding: decided.current,
    })

  // The cached upload is shown first; a newer one that comes before a verdict was possible is simply the one seen. That
  // there is no verdict left to give is always said once the document is on the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version is followed
  useLayoutEffect(() => {
    const at = shownAt.current
    if (decided.current || (at !== null && (isClosing || performance.now() - at >= MIN_SHOWN_MS))) return
    if (at !== null) noteShown()
    setSeenVersion(version)
  }, [version, noteShown])
  useEffect(() => {
    if (shownSince === null) return
    const timer = setTimeout(() => setSettled(true), MIN_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shownSince])

  /** The next one is that of before the verdict, whose answer counts from the upload's new place. */
  const goOn = async () => {
    if (nextInReview) {
      await navigate({ to: '/uploads/$uploadId', params: { uploadId: nextInReview } })
    } else {
      await navigate({ to: '/uploads' })
    }
  }

  /**
   * `send` answers what became of the upload. Answers whether the dialog that asked for it is done with: not where it can
   * be tried again as it stands.
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
    await goOn()
    return true
  }

  return {
    gate,
    isDeciding,
    /** A colleague has changed the upload, and it still waits for a verdict. */
    isChanged: isNewer && upload.can.decide,
    /** A colleague has given the verdict, or the upload is not in review any more for another reason. */
    isClosed: isNewer && isClosing,
    /** Runs a change of the reader's own; `change` returns the new version, or undefined where nothing has changed. */
    changeOwn: async (change: () => Promise<number | undefined>) => {
      setChanging(true)
      try {
        const changed = await change()
        if (changed !== undefined) setSeenVersion(changed)
      } finally {
        setChanging(false)
      }
    },
    /** The reviewer has seen what changed, or has changed it themselves. */
    acknowledge: (changed = version) => setSeenVersion(changed),
    /** The document has been on the screen for long enough. */
    isSettled,
    onShown: () => {
      if (shownAt.current === null) noteShown()
    },
    goOn,
    /** `mismatchReason`: why a file that names somebody else is the patient's all the same. */
    accept: async (mismatchReason: string | null) => {
      if (gate() !== 'open') return true
      return decide(async () => {
        const { data } = await acceptUpload({ variables: { id, version, mismatchReason } })
        return data ? describeOutcome(data.acceptUpload, institution) : ''
      }, `Nr. ${number} acceptată: ${patient?.name}`)
    },
    /** A dialog stands between the key and this, so it need not wait for the document. */
    reject: async (reason: RejectionReason, comment: string) => {
      if (['changed', 'deciding'].includes(gate())) return true
      return decide(
        async () => {
          await rejectUpload({ variables: { id, version, reason, comment: comment || null } })
          return REJECTION_REASONS[reason]
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
