import { useMutation, useQuery } from '@apollo/client/react'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'
import { INSTITUTION_SUSPENSION, type InstitutionPage, SUSPEND_INSTITUTION } from './institutions.queries.ts'

export interface SuspensionProps {
  institution: Pick<InstitutionPage, 'id' | 'version' | 'name' | 'can'>
  /** Called if another user has changed the institution meanwhile. */
  onStale: () => Promise<unknown>
}

/** Shows the consequences of a suspension in numbers, and asks to confirm it. Mounted while it is open. */
export function SuspendDialog({
  institution: { id, version, name },
  onStale,
  onClose,
}: SuspensionProps & { onClose: () => void }) {
  const { data, error, refetch } = useQuery(INSTITUTION_SUSPENSION, {
    variables: { id },
    fetchPolicy: 'network-only',
  })
  const [suspend] = useMutation(SUSPEND_INSTITUTION)
  const attempt = useAsyncAction()
  const confirm = () =>
    attempt.run(async () => {
      try {
        await suspend({ variables: { id, version } })
      } catch (rejection) {
        await onStale().catch(() => undefined)
        throw rejection
      }
      showToast({ tone: 'success', title: `${name} este suspendată` })
      onClose()
    })
  const consequences = data?.institutionSuspension
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      role="alertdialog"
      title={`Suspenzi ${name}?`}
      actions={
        <>
          <Button onPress={onClose}>Renunță</Button>
          <Button
            variant="danger"
            icon="ban"
            isDisabled={!consequences}
            isPending={attempt.isPending}
            onPress={() => void confirm()}
          >
            Suspendă instituția
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNotice>{attempt.message}</FailureNotice>
        {consequences ? (
          <Consequences {...consequences} />
        ) : error ? (
          <ErrorState onRetry={() => void refetch()}>{errorMessage(error)}</ErrorState>
        ) : (
          <div role="status" aria-label="Se încarcă">
            <Skeleton className="h-32" />
          </div>
        )}
      </div>
    </Dialog>
  )
}

function Consequences({ losing, keeping, waiting }: { losing: number; keeping: number; waiting: number }) {
  return (
    <>
      <ul className="grid list-disc gap-2 pl-5 marker:text-muted">
        {losing > 0 && (
          <li>
            <strong>{counted(losing, 'persoană își pierde', 'persoane își pierd')} accesul pe loc</strong>:
            sesiunile și paginile deschise se închid, invitațiile și linkurile trimise se anulează, mesajele
            se opresc.
          </li>
        )}
        {keeping > 0 && (
          <li>
            {counted(keeping, 'persoană lucrează', 'persoane lucrează')} și pentru altă instituție și o
            păstrează doar pe aceea.
          </li>
        )}
        {losing + keeping === 0 && <li>Nimeni nu are acum acces prin ea.</li>}
        <li>Nu i se mai pot adăuga trimiteri, rezultate și conturi.</li>
        <li>
          Nu se șterge nimic, iar instituția poate fi reactivată oricând: fiecare se autentifică din nou.
        </li>
      </ul>
      {waiting > 0 && (
        <Alert
          tone="warning"
          title={`${counted(waiting, 'rezultat este', 'rezultate sunt')} pe drum spre această instituție`}
        >
          Pot fi verificate și eliberate ca până acum, dar cât timp este suspendată nu le vede și nu este
          anunțată.
        </Alert>
      )}
    </>
  )
}
