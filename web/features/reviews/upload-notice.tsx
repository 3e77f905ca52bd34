import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import { lookUp } from '../../../shared/look-up.ts'
import { REJECTION_REASON_NAMES } from '../../../shared/uploads/upload-states.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button, LinkButton } from '../../ui/base/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { UploadOpenings } from '../incidents/openings.tsx'
import { SUBMIT_UPLOAD, WITHDRAW_UPLOAD } from '../new-upload/new-upload.queries.ts'
import { RejectedFiles } from '../preview/rejected-files.tsx'
import type { Upload } from './upload.queries.ts'
import type { Verdict } from './verdict/use-verdict.ts'

type ChangeProps = {
  upload: Upload
  /** Runs a change that the user makes on this page. */
  changeOwn: Verdict['changeOwn']
  onReload: () => Promise<unknown>
}

/** Shows why an upload was returned, with the actions to correct and resubmit it. */
export function UploadNotice({
  upload,
  onEdit,
  onAddFiles,
  changeOwn,
  onReload,
}: ChangeProps & { onEdit: () => void; onAddFiles: () => void }) {
  if (upload.state === 'quarantined') {
    const { isOwn, can, patient } = upload
    return (
      <Alert
        tone="danger"
        icon="shield-alert"
        title="Oprită la controlul automat"
        actions={
          isOwn &&
          patient && (
            <LinkButton to="/patients/$patientId" params={{ patientId: patient.id }} icon="upload">
              Mergi la pacient
            </LinkButton>
          )
        }
      >
        <RejectedFiles files={upload.files} />
        {isOwn && can.withdraw && (
          <p className="mt-1.5">
            Ce urmează: retrage încărcarea, apoi încarcă din nou fișierele bune, și pe cele corectate, de pe
            pagina pacientului.
          </p>
        )}
      </Alert>
    )
  }
  const rejection = upload.reviews.find(({ verdict, undoneAt }) => verdict === 'rejected' && !undoneAt)
  if (upload.state !== 'rejected' || !rejection) return null
  return (
    <Alert
      tone="danger"
      title={`Respinsă: ${lookUp(REJECTION_REASON_NAMES, rejection.reasonCode)}`}
      actions={
        upload.can.submit && (
          <>
            <SubmitAgain upload={upload} changeOwn={changeOwn} onReload={onReload} />
            <Button icon="pencil" onPress={onEdit}>
              Editează
            </Button>
            <Button icon="upload" onPress={onAddFiles}>
              Adaugă fișiere
            </Button>
          </>
        )
      }
    >
      {rejection.comment && <p className="break-words whitespace-pre-line">{rejection.comment}</p>}
      <p className="text-muted">{rejection.reviewerName}</p>
      {upload.can.submit && (
        <p className="mt-1 text-muted">Un fișier greșit se scoate cu coșul de deasupra documentului.</p>
      )}
    </Alert>
  )
}

function SubmitAgain({ upload: { id, number }, changeOwn, onReload }: ChangeProps) {
  const [submitUpload, { loading }] = useMutation(SUBMIT_UPLOAD)
  const submit = () =>
    changeOwn(async () => {
      try {
        const { data } = await submitUpload({ variables: { id } })
        showToast({ tone: 'success', title: `Nr. ${number} a fost trimisă din nou la verificare` })
        await onReload().catch(() => undefined)
        return data?.submitUpload.version
      } catch (error) {
        showToast({ tone: 'error', title: 'Încărcarea nu a fost trimisă', description: errorMessage(error) })
      }
    })
  return (
    <Button variant="primary" icon="paper-plane" isPending={loading} onPress={() => void submit()}>
      Trimite din nou
    </Button>
  )
}

/** Withdraws an upload, before or after its release. */
export function WithdrawButton({
  upload: { id, number, patient, state, institution },
  changeOwn,
  onReload,
}: ChangeProps) {
  const [isConfirming, setConfirming] = useState(false)
  const [withdrawUpload, { loading }] = useMutation(WITHDRAW_UPLOAD)
  const withdraw = async () => {
    await changeOwn(async () => {
      try {
        const { data } = await withdrawUpload({ variables: { id } })
        showToast({ tone: 'success', title: `Nr. ${number} a fost retrasă` })
        await onReload().catch(() => undefined)
        return data?.withdrawUpload.version
      } catch (error) {
        showToast({ tone: 'error', title: 'Încărcarea nu a fost retrasă', description: errorMessage(error) })
      }
    })
    setConfirming(false)
  }
  return (
    <>
      <Button variant="quiet" icon="undo" className="justify-self-start" onPress={() => setConfirming(true)}>
        Retrage încărcarea
      </Button>
      <Dialog
        title={`Retragi încărcarea nr. ${number}?`}
        role="alertdialog"
        isOpen={isConfirming}
        onOpenChange={setConfirming}
        actions={
          <>
            <Button onPress={() => setConfirming(false)}>Anulează</Button>
            <Button variant="danger" isPending={loading} onPress={() => void withdraw()}>
              Retrage
            </Button>
          </>
        }
      >
        <p className="text-sm">
          {patient ? `Încărcarea pentru ${patient.name} nu` : 'Încărcarea nu'} mai ajunge la nimeni
          {state === 'released' && institution && `, iar ${institution.name} nu o mai vede de acum`}. Dacă
          trebuie trimisă totuși, fișierele se încarcă din nou.
          {state === 'released' && ' O greșeală se repară și cu „Corectează”, fără retragere.'}
        </p>
        {state === 'released' && (
          <div className="mt-4">
            <UploadOpenings uploadId={id} />
          </div>
        )}
      </Dialog>
    </>
  )
}
