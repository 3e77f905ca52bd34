import { useState } from 'react'
import { errorMessage } from '../../../api/client-error.ts'
import { Button } from '../../../ui/base/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { hasFingerprint } from '../../new-upload/engine/new-upload-file.ts'
import { isSameContent } from '../../new-upload/engine/transfers/resume-plan.ts'
import { UploadLeaveGuard } from '../../new-upload/upload-leave-guard.tsx'
import { readContent, submitAgain } from '../../new-upload/upload-server.ts'
import { useUploadDraft } from '../../new-upload/use-new-upload.ts'
import type { Upload } from '../upload.queries.ts'
import { ChosenFiles } from './chosen-files.tsx'
import { SendingDialog } from './sending-dialog.tsx'

/** Adds files to a rejected upload and sends it to review again. */
export function AddFilesDialog({
  upload: { id, number, title, patient, files: existing },
  onReload,
  onClose,
}: {
  upload: Upload
  onReload: () => Promise<unknown>
  onClose: () => void
}) {
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const end = () => {
    void onReload().catch(() => undefined)
    onClose()
  }
  const draft = useUploadDraft({
    patientId: patient?.id ?? null,
    createUpload: () => Promise.reject(new Error('the upload exists')),
    submitUpload: submitAgain,
    onChanged: end,
  })
  const chosen = draft.files.filter(hasFingerprint)
  const isReady = chosen.length > 0 && chosen.length === draft.files.length

  const send = async () => {
    setPending(true)
    try {
      const { files, transfers } = await readContent(id)
      const added = chosen.filter((file) => !files.some((each) => isSameContent(each, file)))
      if (added.length === 0) return setFailure('Fișierele alese sunt deja în încărcare.')
      draft.upload.resume({ id, number, title, files, transfers })
      await draft.upload.handIn({ title })
    } catch (error) {
      setFailure(errorMessage(error))
    } finally {
      setPending(false)
    }
  }
  const heading = `Adaugă fișiere la nr. ${number}`
  return (
    <>
      <UploadLeaveGuard loss={draft.loss} />
      {draft.question.dialog}
      {draft.open ? (
        <SendingDialog title={heading} draft={draft} open={draft.open} onLeave={end} />
      ) : (
        <Dialog
          title={heading}
          isOpen
          isDismissable={false}
          onOpenChange={onClose}
          actions={
            <>
              <Button onPress={onClose}>Anulează</Button>
              <Button
                variant="primary"
                icon="paper-plane"
                isDisabled={!isReady}
                isPending={isPending}
                onPress={() => void send()}
              >
                Încarcă și trimite din nou
              </Button>
            </>
          }
        >
          <div className="grid gap-4">
            {failure && (
              <Alert tone="danger" isLive>
                {failure}
              </Alert>
            )}
            <p className="text-sm">
              {existing.length > 0 && 'Se adaugă lângă ce are încărcarea acum. '}
              Toate fișierele se controlează și se verifică din nou.
            </p>
            <ChosenFiles draft={draft} existingCount={existing.length} />
          </div>
        </Dialog>
      )}
    </>
  )
}
