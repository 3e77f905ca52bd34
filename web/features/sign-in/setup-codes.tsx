import { useEffect, useState } from 'react'
import { errorMessage } from '../../api/client-error.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { RecoveryCodes } from '../own-account/recovery-codes.tsx'
import { requestRecoveryCodes } from '../own-account/request-recovery-codes.ts'

/** Shows the recovery codes after the second factor was enabled; the user is signed in by then. */
export function SetupCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  const request = () => {
    setFailure(null)
    requestRecoveryCodes().then(setCodes, (error: unknown) => setFailure(errorMessage(error)))
  }
  useEffect(request, [])

  return (
    <div className="grid gap-5">
      <h2 className="font-semibold">Coduri de recuperare</h2>
      {codes ? (
        <RecoveryCodes codes={codes} />
      ) : failure ? (
        <>
          <Notice tone="danger" isLive>
            {failure} Se pot cere și mai târziu, din meniul contului, la „Setările contului”.
          </Notice>
          <PlainButton size="lg" onClick={request}>
            Încearcă din nou
          </PlainButton>
        </>
      ) : (
        <p className="text-muted">Un moment…</p>
      )}
      {(codes || failure) && (
        <PlainButton variant="primary" size="lg" onClick={onDone}>
          {codes ? 'Am păstrat codurile' : 'Continuă fără coduri'}
        </PlainButton>
      )}
    </div>
  )
}
