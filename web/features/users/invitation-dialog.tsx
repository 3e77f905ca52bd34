import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { useCopy } from '../../ui/hooks/use-copy.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { Invitation } from './accounts.queries.ts'

/** Shows the outcome of an invitation with its link, only once, since only the link's hash is stored. */
export function InvitationDialog({
  invitation: { user, link, isMailed },
  onClose,
}: {
  invitation: Invitation
  onClose: () => void
}) {
  const { label, copy } = useCopy(link ?? '')
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      closesOnlyByActions
      title={`${user.name} are o invitație`}
      actions={
        <>
          {link && (
            <Button icon="copy" autoFocus onPress={copy}>
              {label}
            </Button>
          )}
          <Button variant="primary" autoFocus={!link} onPress={onClose}>
            Gata
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {isMailed ? (
          <p>Invitația pleacă acum prin e-mail la {user.email}.</p>
        ) : (
          <Alert tone="warning" title="Nu pleacă niciun e-mail">
            Nu este configurat niciun server de e-mail.{' '}
            {link ? 'Dă-i tu linkul de mai jos.' : 'Spune-i tu că se poate autentifica.'}
          </Alert>
        )}
        {link ? (
          <>
            <p className="text-muted">
              Cine deschide linkul își alege parola și intră ca {user.name}: dă-l doar acestei persoane. Nu îl
              vei mai vedea după ce închizi; este valabil o singură dată
              {user.invitationExpiresAt && `, până la ${formatDateTime(user.invitationExpiresAt)}`}.
            </p>
            <code className="rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-sm break-all select-all">
              {link}
            </code>
          </>
        ) : (
          <p className="text-muted">
            Nu are nevoie de parolă: se autentifică cu contul organizației, ca în celelalte aplicații.
          </p>
        )}
      </div>
    </Dialog>
  )
}
