import { useMutation } from '@apollo/client/react'
import { useRef, useState } from 'react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'
import { ANSWER_DELETION_REQUEST, type DeletionRequest } from './incidents.queries.ts'
import { ActLines } from './openings.tsx'

export function DeletionRequestCard({ request }: { request: DeletionRequest }) {
  const { uploadNumber, releasedAt, institutionName, openings, answeredAt, answeredByName } = request
  const [isConfirming, setConfirming] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const result = `rezultatul nr. ${uploadNumber}`
  return (
    <div ref={container} tabIndex={-1}>
      {answeredAt ? (
        <Alert tone="success" title={`Ștergerea este confirmată: ${result}`}>
          {formatDateTime(answeredAt)}
          {answeredByName && `, ${answeredByName}`}
        </Alert>
      ) : (
        <Alert
          tone="danger"
          title={`Vă rugăm să ștergeți ${result}`}
          actions={
            <Button variant="primary" icon="check" onPress={() => setConfirming(true)}>
              Am șters
            </Button>
          }
        >
          <p>
            Eliberat din greșeală pe {formatDateTime(releasedAt)} pentru {institutionName}. Ștergeți fișierele
            descărcate și copiile lor, tipărite sau trimise mai departe, apoi confirmați.
          </p>
          <ul aria-label="Cine l-a deschis" className="mt-2 grid gap-1">
            {openings.map(({ name, acts }) => (
              <li key={`${name} ${acts[0]?.firstAt}`}>
                <p className="font-medium break-words">{name}</p>
                <ActLines acts={acts} />
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {isConfirming && (
        <ConfirmDialog
          request={request}
          onClose={() => {
            setConfirming(false)
            // The button that has opened the dialog is gone after the answer.
            requestAnimationFrame(() => container.current?.focus())
          }}
        />
      )}
    </div>
  )
}

/** Asks again before the answer, which cannot be taken back. */
function ConfirmDialog({ request, onClose }: { request: DeletionRequest; onClose: () => void }) {
  const { id, uploadNumber } = request
  const [answer] = useMutation(ANSWER_DELETION_REQUEST)
  const attempt = useAsyncAction()
  const confirm = () =>
    attempt.run(async () => {
      await answer({ variables: { id } })
      showToast({ tone: 'success', title: 'Ați confirmat ștergerea. Vă mulțumim.' })
      onClose()
    })
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      role="alertdialog"
      size="sm"
      title={`Confirmați că rezultatul nr. ${uploadNumber} este șters?`}
      actions={
        <>
          <Button onPress={onClose}>Renunțați</Button>
          <Button variant="primary" icon="check" isPending={attempt.isPending} onPress={() => void confirm()}>
            Confirmați ștergerea
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNotice>{attempt.message}</FailureNotice>
        <p>
          Confirmarea se păstrează cu numele dumneavoastră și nu poate fi retrasă. Verificați și la colegii
          care l-au deschis.
        </p>
      </div>
    </Dialog>
  )
}
