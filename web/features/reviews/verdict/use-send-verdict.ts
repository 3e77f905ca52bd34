import { type RefObject, useState } from 'react'
import { client } from '../../../api/client.ts'
import { errorCode, errorMessage, isAnswerLost } from '../../../api/client-error.ts'
import { nextPaint } from '../../../ui/base/next-paint.ts'
import { VERDICT_OUTCOME, type VerdictOutcome } from '../upload.queries.ts'
import { forgetVerdict, offerUndo, whileNothingIsUndone } from './undo-last-verdict.tsx'
import { showVerdict } from './verdict-toast.ts'

/** The outcome of a verdict and its description. */
export type SentVerdict = { outcome: VerdictOutcome; description: string }

/** A shorter answer shows no pending button: rendering it would delay the next upload. Less than the batch of live changes. */
const PENDING_AFTER_MS = 150
/** The next upload is painted before the message is rendered, which waits for it at most this long. */
const MESSAGE_WITHIN_MS = 300

/**
 * Returns `sendVerdict`, which shows the outcome of a verdict, and whether one has been under way for a moment. After a
 * success `isSending` stays true: the page shows the next upload.
 */
export function useSendVerdict(
  /** Changes before the next render, unlike state: two quick keys must not both give a verdict. */
  isSending: RefObject<boolean>,
  {
    onSent,
    onUndone,
    onConflict,
  }: { onSent: () => Promise<void>; onUndone: () => Promise<void>; onConflict: () => Promise<void> },
) {
  const [isDeciding, setDeciding] = useState(false)

  /**
   * Sends a verdict; `send` resolves to its outcome. Resolves to whether the dialog can
   * close: false if the verdict can be retried unchanged.
   */
  const sendVerdict = async (
    send: () => Promise<SentVerdict | null | undefined>,
    title: string,
  ): Promise<boolean> => {
    isSending.current = true
    const pending = setTimeout(setDeciding, PENDING_AFTER_MS, true)
    let sent: SentVerdict | null | undefined
    try {
      sent = await whileNothingIsUndone(send)
    } catch (error) {
      clearTimeout(pending)
      const isStale = errorCode(error) === 'CONFLICT'
      const isLost = isAnswerLost(error)
      if (isLost) forgetVerdict()
      if (isStale) await onConflict()
      else
        showVerdict({
          tone: 'error',
          title: isLost ? 'Nu se știe dacă verdictul a fost înregistrat' : 'Verdictul nu a fost înregistrat',
          description: errorMessage(error),
        })
      isSending.current = false
      setDeciding(false)
      return isStale
    }
    clearTimeout(pending)
    const showOutcome = sent
      ? offerOutcome(sent, title, async () => {
          // The screen may not have left this upload yet.
          isSending.current = false
          setDeciding(false)
          await onUndone()
        })
      : () => showVerdict({ tone: 'success', title })
    const leaving = onSent()
    const painted = leaving.then(nextPaint)
    await Promise.race([painted, new Promise((resolve) => setTimeout(resolve, MESSAGE_WITHIN_MS))])
    showOutcome()
    await leaving
    return true
  }
  return { isDeciding, sendVerdict }
}

/**
 * Returns a function that shows the outcome, and keeps it for the screen of the upload, to which the user may come back. The key undoes
 * the verdict already before that: the next upload is shown first.
 */
function offerOutcome(
  { outcome, description }: SentVerdict,
  title: string,
  onUndone: () => Promise<void>,
): () => void {
  const { undoUntil } = outcome
  const offer = undoUntil ? offerUndo({ ...outcome, title, description, undoUntil }, onUndone) : null
  return () => {
    if (!offer) showVerdict({ tone: 'success', title, description })
    // The cache has the answer to the undo.
    else if (!offer()) return
    const id = client.cache.identify(outcome)
    if (id) client.cache.writeFragment({ id, fragment: VERDICT_OUTCOME, data: outcome })
  }
}
