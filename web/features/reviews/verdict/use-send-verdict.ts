import { type RefObject, useState } from 'react'
import { errorCode, errorMessage } from '../../../api/client-error.ts'
import { showVerdict } from './verdict-toast.ts'

/**
 * Returns `sendVerdict`, which shows the outcome of a verdict, and whether one is being sent. After a success
 * both stay in that state: the page shows the next upload.
 */
export function useSendVerdict(
  /** Changes before the next render, unlike state: two quick keys must not both give a verdict. */
  isSending: RefObject<boolean>,
  { onSent, onConflict }: { onSent: () => Promise<void>; onConflict: () => Promise<void> },
) {
  const [isDeciding, setDeciding] = useState(false)

  /**
   * Sends a verdict; `send` resolves to the description of the outcome. Resolves to whether the dialog can
   * close: false if the verdict can be retried unchanged.
   */
  const sendVerdict = async (send: () => Promise<string>, title: string): Promise<boolean> => {
    isSending.current = true
    setDeciding(true)
    let description: string
    try {
      description = await send()
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
    showVerdict({ tone: 'success', title, description })
    await onSent()
    return true
  }
  return { isDeciding, sendVerdict }
}
