import { type RefObject, useState } from 'react'
import { errorCode, errorMessage } from '../../../api/client-error.ts'
import { offerUndo } from './undo-last-verdict.tsx'
import { showVerdict } from './verdict-toast.ts'

/** The outcome of a verdict: its description, and what an undo needs. */
export type SentVerdict = { id: string; version: number; undoUntil: string | null; description: string }

/**
 * Returns `sendVerdict`, which shows the outcome of a verdict, and whether one is being sent. After a success
 * both stay in that state: the page shows the next upload.
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
    setDeciding(true)
    let sent: SentVerdict | null | undefined
    try {
      sent = await send()
    } catch (error) {
      const isStale = errorCode(error) === 'CONFLICT'
      if (isStale) await onConflict()
      else
        showVerdict({
          tone: 'error',
          title: 'Verdictul nu a fost înregistrat',
          description: errorMessage(error),
        })
      isSending.current = false
      setDeciding(false)
      return isStale
    }
    if (sent?.undoUntil) offerUndo({ ...sent, title, undoUntil: sent.undoUntil }, onUndone)
    else showVerdict({ tone: 'success', title, description: sent?.description })
    await onSent()
    return true
  }
  return { isDeciding, sendVerdict }
}
