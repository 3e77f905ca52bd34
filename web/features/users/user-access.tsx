import { useMutation } from '@apollo/client/react'
import { type ReactNode, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useStepFocus } from '../../ui/hooks/use-step-focus.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'
import { isInvitationOver, usesPassword } from './account-labels.ts'
import {
  CANCEL_INVITATION,
  type Invitation,
  REACTIVATE_USER,
  RESEND_INVITATION,
  SEND_PASSWORD_RESET,
  SUSPEND_USER,
  type UserDetails,
} from './accounts.queries.ts'
import { InvitationDialog } from './invitation-dialog.tsx'

export interface UserAccessProps {
  user: UserDetails
  onChange: () => void
  /** Called when the account is deleted. */
  onDeleted: () => void
}

/** Shows whether a user can sign in, with the administrator's actions for the account's state. */
export function UserAccess(props: UserAccessProps) {
  const { status } = props.user
  const container = useStepFocus(status)
  const State = status === 'invited' ? Invited : status === 'suspended' ? Suspended : Active
  return (
    <div ref={container} tabIndex={-1} className="grid gap-3 outline-none">
      {props.user.isShutOut && (
        <Alert tone="warning">
          Instituția acestui cont este suspendată: persoana nu poate intra, iar linkuri și mesaje nu i se
          trimit până la reactivarea ei.
        </Alert>
      )}
      <State {...props} />
    </div>
  )
}

function Invited({ user, onChange, onDeleted }: UserAccessProps) {
  const [resend] = useMutation(RESEND_INVITATION)
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const [isCancelling, setCancelling] = useState(false)
  const attempt = useAsyncAction()
  const send = () =>
    attempt.run(async () => {
      const { data } = await resend({ variables: { userId: user.id } })
      if (!data) return
      setInvitation(data.resendInvitation)
      onChange()
    })
  return (
    <>
      <p className="text-sm text-muted">{describeInvitation(user)}</p>
      <FailureNotice>{attempt.message}</FailureNotice>
      <div className="flex flex-wrap gap-2">
        {!user.isShutOut && (
          <Button icon="paper-plane" isPending={attempt.isPending} onPress={() => void send()}>
            Trimite din nou invitația
          </Button>
        )}
        <Button variant="quiet" onPress={() => setCancelling(true)}>
          Anulează invitația
        </Button>
      </div>
      {invitation && <InvitationDialog invitation={invitation} onClose={() => setInvitation(null)} />}
      {isCancelling && (
        <CancelDialog
          user={user}
          onClose={() => setCancelling(false)}
          onCancelled={() => {
            onDeleted()
            onChange()
          }}
        />
      )}
    </>
  )
}

function describeInvitation(user: UserDetails): string {
  if (!usesPassword(user.role)) return 'Nu s-a autentificat încă. Intră cu contul organizației, fără parolă.'
  return isInvitationOver(user, new Date())
    ? 'Nu și-a ales încă parola, iar linkul trimis nu mai este valabil.'
    : `Nu și-a ales încă parola. Linkul trimis este valabil până la ${formatDateTime(user.invitationExpiresAt ?? '')}.`
}

/** Asks to confirm; afterwards the user needs a new invitation. */
function CancelDialog({
  user,
  onClose,
  onCancelled,
}: {
  user: UserDetails
  onClose: () => void
  onCancelled: () => void
}) {
  const [cancel] = useMutation(CANCEL_INVITATION)
  const attempt = useAsyncAction()
  const confirm = () =>
    attempt.run(async () => {
      await cancel({ variables: { userId: user.id } })
      showToast({ tone: 'success', title: `Invitația pentru ${user.name} a fost anulată` })
      onCancelled()
    })
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      role="alertdialog"
      size="sm"
      title={`Anulezi invitația pentru ${user.name}?`}
      actions={
        <>
          <Button onPress={onClose}>Renunță</Button>
          <Button variant="danger" isPending={attempt.isPending} onPress={() => void confirm()}>
            Anulează invitația
          </Button>
        </>
      }
    >
      <FailureNotice>{attempt.message}</FailureNotice>
      <p className="text-muted">
        Linkul nu mai merge și contul dispare din listă. Cu aceeași adresă poți invita oricând din nou pe
        cineva.
      </p>
    </Dialog>
  )
}

function Active({ user, onChange }: UserAccessProps) {
  const [sendReset] = useMutation(SEND_PASSWORD_RESET)
  const [suspend] = useMutation(SUSPEND_USER)
  const [reactivate] = useMutation(REACTIVATE_USER)
  const [doing, setDoing] = useState<'reset' | 'suspend' | null>(null)
  const attempt = useAsyncAction()
  const variables = { userId: user.id }

  const run = async (action: 'reset' | 'suspend', work: () => Promise<unknown>) => {
    setDoing(action)
    await attempt.run(work)
    setDoing(null)
  }
  const reset = () =>
    run('reset', async () => {
      await sendReset({ variables })
      showToast({
        tone: 'success',
        title: `Link pentru parolă nouă către ${user.email}`,
        description: `Este valabil ${counted(LIMITS.resetMinutes, 'minut', 'minute')}. Starea trimiterii este în fila „Mesaje”.`,
      })
    })
  const undo = () =>
    reactivate({ variables }).then(
      () => {
        onChange()
        showToast({ tone: 'success', title: `${user.name} se poate autentifica din nou` })
      },
      (error: unknown) =>
        showToast({ tone: 'error', title: 'Contul a rămas suspendat', description: errorMessage(error) }),
    )
  const suspendNow = () =>
    run('suspend', async () => {
      await suspend({ variables })
      onChange()
      showToast({
        tone: 'success',
        title: `Contul „${user.name}” este suspendat`,
        action: { label: 'Anulează', onAction: () => void undo() },
      })
    })
  return (
    <div className="grid gap-5">
      <FailureNotice>{attempt.message}</FailureNotice>
      {usesPassword(user.role) && !user.isShutOut && (
        <Action
          explanation="Primește prin e-mail un link cu care își alege altă parolă. Până atunci rămâne cea de acum."
          button={
            <Button icon="key" isPending={doing === 'reset'} onPress={() => void reset()}>
              Trimite link pentru parolă
            </Button>
          }
        />
      )}
      <Action
        explanation="Suspendarea închide pe loc toate sesiunile și paginile deschise, anulează linkurile trimise și oprește fișierele în curs de încărcare. Ce a făcut până acum rămâne, iar contul poate fi reactivat oricând."
        button={
          <Button icon="ban" isPending={doing === 'suspend'} onPress={() => void suspendNow()}>
            Suspendă contul
          </Button>
        }
      />
    </div>
  )
}

function Suspended({ user, onChange }: UserAccessProps) {
  const [reactivate] = useMutation(REACTIVATE_USER)
  const attempt = useAsyncAction()
  const reactivateNow = () =>
    attempt.run(async () => {
      await reactivate({ variables: { userId: user.id } })
      onChange()
    })
  return (
    <>
      <FailureNotice>{attempt.message}</FailureNotice>
      <Action
        explanation={
          user.lastSignInAt
            ? 'Nu se poate autentifica. După reactivare intră din nou, cu aceleași drepturi.'
            : 'Nu se poate autentifica și nu a intrat niciodată: după reactivare are nevoie de altă invitație.'
        }
        button={
          <Button icon="check-circle" isPending={attempt.isPending} onPress={() => void reactivateNow()}>
            Reactivează contul
          </Button>
        }
      />
    </>
  )
}

function Action({ explanation, button }: { explanation: string; button: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-sm text-muted">{explanation}</p>
      {button}
    </div>
  )
}
