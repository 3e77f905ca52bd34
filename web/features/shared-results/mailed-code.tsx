import { type ReactNode, useEffect, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { publicClient } from '../../api/public-client.ts'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { SEND_SHARE_CODE } from './shared-results.queries.ts'

const RESEND_SECONDS = 60

/** Has the code sent by mail, and after that shows its field and the button below it. */
export function MailedCode({
  token,
  emailMasked,
  onFailure,
  children,
}: {
  token: string
  emailMasked: string | null
  onFailure: (failure: string | null) => void
  children: ReactNode
}) {
  const [isSent, setSent] = useState(false)
  const [isPending, setPending] = useState(false)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (seconds === 0) return
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds])

  const address = emailMasked ?? 'adresa dumneavoastră'
  const send = async () => {
    if (isPending || seconds > 0) return
    onFailure(null)
    setPending(true)
    try {
      await publicClient.mutate({ mutation: SEND_SHARE_CODE, variables: { token }, fetchPolicy: 'no-cache' })
      setSent(true)
      setSeconds(RESEND_SECONDS)
    } catch (error) {
      onFailure(errorMessage(error))
    }
    setPending(false)
  }

  return (
    <>
      <div role="status">
        <p>
          {isSent
            ? `Codul a fost trimis la ${address}. Poate dura un minut; căutați-l și la mesajele nedorite.`
            : `Primiți un cod la ${address} și îl scrieți aici.`}
        </p>
      </div>
      {isSent && children}
      <PlainButton
        size="lg"
        variant={isSent ? 'secondary' : 'primary'}
        isPending={isPending}
        aria-disabled={seconds > 0}
        onClick={() => void send()}
      >
        {isSent ? 'Trimiteți alt cod' : 'Trimiteți codul pe e-mail'}
      </PlainButton>
      {seconds > 0 && (
        <p className="text-base text-muted">
          Alt cod se poate cere peste {counted(seconds, 'secundă', 'secunde')}.
        </p>
      )}
    </>
  )
}
