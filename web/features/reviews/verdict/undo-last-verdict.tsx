import { useEffect, useState } from 'react'
import { counted } from '../../../../shared/romania/romanian.ts'
import { client } from '../../../api/client.ts'
import { errorMessage } from '../../../api/client-error.ts'
import { onPersonChange } from '../../../session/person-change.ts'
import { serverNow } from '../../../session/server-clock.ts'
import { UNDO_VERDICT } from '../upload.queries.ts'
import { readCommand } from '../use-review-keys.ts'
import { clearVerdict, showVerdict } from './verdict-toast.ts'

type Undoable = { id: string; version: number; undoUntil: string; title: string; description: string }

/** The last verdict while it can be undone. Kept outside the screens: the page shows the next upload by then. */
let undoLast: (() => void) | null = null

/** How many verdicts are being sent: meanwhile the last one is not the one that the user means. */
let sending = 0

/** Sends a verdict. Until its answer the one before is not undone by key. */
export async function whileNothingIsUndone<T>(send: () => Promise<T>): Promise<T> {
  sending += 1
  try {
    return await send()
  } finally {
    sending -= 1
  }
}

/** Undoes the last verdict if its time has not passed and no other is being sent; else does nothing. */
export const undoLastVerdict = (): void => {
  if (sending === 0) undoLast?.()
}

/** From now on no verdict can be undone by key: it is not known which one is the last. */
export const forgetVerdict = (): void => {
  undoLast = null
}

onPersonChange(forgetVerdict)

/**
 * From now on the verdict can be undone for some seconds by the key Z on any screen. Returns a function that shows the outcome with
 * these seconds and a button; it returns false, and shows nothing, if the verdict was undone meanwhile. `onUndone` leads back to its
 * upload.
 */
export function offerUndo(
  { id, version, undoUntil, title, description }: Undoable,
  onUndone: () => Promise<void>,
): () => boolean {
  let isUndone = false
  const remaining = Date.parse(undoUntil) - serverNow() * 1_000
  const end = performance.now() + remaining
  const undo = () => {
    if (undoLast !== undo) return
    undoLast = null
    isUndone = true
    clearVerdict()
    client.mutate({ mutation: UNDO_VERDICT, variables: { id, version } }).then(
      () => {
        showVerdict({
          tone: 'info',
          title: 'Verdictul a fost anulat',
          description: `${title}. Este din nou de verificat.`,
        })
        return onUndone()
      },
      (error: unknown) =>
        showVerdict({
          tone: 'error',
          title: 'Verdictul nu a fost anulat',
          description: errorMessage(error),
        }),
    )
  }
  undoLast = undo
  setTimeout(() => {
    if (undoLast === undo) undoLast = null
  }, remaining)
  return () => {
    if (isUndone) return false
    showVerdict({
      tone: 'success',
      title,
      description: <Countdown text={description} end={end} />,
      action: { label: 'Anulează (Z)', onAction: undo },
      closesAfter: end - performance.now(),
    })
    return true
  }
}

document.addEventListener('keydown', (event) => {
  if (undoLast === null || readCommand(event) !== 'undo') return
  event.preventDefault()
  undoLastVerdict()
})

function Countdown({ text, end }: { text: string; end: number }) {
  const [seconds, setSeconds] = useState(() => secondsUntil(end))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(end)), 250)
    return () => clearInterval(timer)
  }, [end])
  return (
    <>
      {text} {/* Not announced every second; the button says that it can be undone. */}
      <span aria-hidden="true" className="whitespace-nowrap tabular-nums">
        Încă {counted(seconds, 'secundă', 'secunde')}.
      </span>
    </>
  )
}

const secondsUntil = (end: number): number => Math.max(0, Math.ceil((end - performance.now()) / 1_000))
