import { useEffect, useRef, useState } from 'react'
import { signInWithPasskey } from '../../session/passkey-sign-in.ts'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { explainPasskeyError } from '../own-account/passkey-errors.ts'
import { explainSignInFailure } from './sign-in-errors.ts'

const REJECTED_MESSAGE = 'Cheia de acces nu este a unui cont care poate intra aici.'

/** Signs in with a passkey alone; the browser asks which. */
export function PasskeyStep({
  isShared,
  onDone,
  onBack,
}: {
  /** Whether several people use the computer. */
  isShared: boolean
  onDone: () => void
  onBack: () => void
}) {
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const isStarted = useRef(false)

  const start = async () => {
    setFailure(null)
    setPending(true)
    try {
      if (!(await signInWithPasskey('passkey', isShared))) return onDone()
      setFailure(REJECTED_MESSAGE)
    } catch (error) {
      setFailure(explainPasskeyError(error) ?? explainSignInFailure(error))
    }
    setPending(false)
  }

  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    void start()
  })

  return (
    <div className="grid gap-5">
      <FailureNotice>{failure}</FailureNotice>
      <p className="text-muted">
        Browserul cere confirmarea pe acest dispozitiv, pe telefon sau cu o cheie USB.
      </p>
      <div className="grid gap-2">
        <PlainButton variant="primary" size="lg" isPending={isPending} onClick={() => void start()}>
          Folosește cheia de acces
        </PlainButton>
        <PlainButton variant="quiet" onClick={onBack}>
          Intră cu parolă
        </PlainButton>
      </div>
    </div>
  )
}
