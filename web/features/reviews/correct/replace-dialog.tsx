import { LIMITS } from '../../../../shared/limits.ts'
import { client } from '../../../api/client.ts'
import { Field } from '../../../forms/core/field.ts'
import { FormDialog } from '../../../forms/saved-form/form-sheet.tsx'
import { UploadLeaveGuard } from '../../new-upload/upload-leave-guard.tsx'
import { submitUpload } from '../../new-upload/upload-server.ts'
import { useUploadDraft } from '../../new-upload/use-new-upload.ts'
import { REPLACE_UPLOAD, type Upload } from '../upload.queries.ts'
import { ChosenFiles } from './chosen-files.tsx'
import { SendingDialog } from './sending-dialog.tsx'

type Values = { reason: string; withdraw: boolean }

const EMPTY: Values = { reason: '', withdraw: false }

/** Chooses the files of a new version of a released upload, and sends them to review. */
export function ReplaceDialog({
  upload,
  onReload,
  onClose,
}: {
  upload: Upload
  onReload: () => Promise<unknown>
  onClose: () => void
}) {
  const { id, version, number, title, patient, institution, can } = upload
  const draft = useUploadDraft({
    patientId: patient?.id ?? null,
    createUpload: async ({ reason, withdraw }: Values & { title: string }) => {
      const { data } = await client.mutate({
        mutation: REPLACE_UPLOAD,
        variables: { id, version, reason, withdraw },
      })
      if (!data) throw new Error('replaceUpload: no data')
      return data.replaceUpload
    },
    submitUpload,
    onChanged: () => {
      void onReload().catch(() => undefined)
      onClose()
    },
  })
  const heading = `Înlocuiește nr. ${number}`
  return (
    <>
      <UploadLeaveGuard loss={draft.loss} />
      {draft.question.dialog}
      {draft.open ? (
        <SendingDialog title={heading} draft={draft} open={draft.open} />
      ) : (
        <FormDialog
          title={heading}
          saveLabel="Trimite versiunea nouă"
          stored={EMPTY}
          isBlocked={draft.files.length === 0}
          onSave={async (values, release) => {
            release()
            await draft.upload.begin({ ...values, title })
          }}
          onClose={onClose}
        >
          <p className="text-sm">
            Versiunea nouă are aceleași date și trece prin toată verificarea. Până la eliberarea ei,{' '}
            {institution?.name ?? 'instituția'} o vede pe cea de acum; apoi o vede numai pe cea nouă, marcată
            „actualizat”.
          </p>
          <ChosenFiles draft={draft} existingCount={0} />
          <Field
            type="text"
            name="reason"
            label="De ce se înlocuiește"
            help="Devine nota versiunii noi: o citesc colegii, nu și instituția."
            validation="required:trim"
            maxLength={LIMITS.shortText}
          />
          {can.withdraw && (
            <Field
              type="checkbox"
              name="withdraw"
              label="Retrage versiunea de acum"
              help="Instituția nu mai vede nimic până la eliberarea celei noi."
            />
          )}
        </FormDialog>
      )}
    </>
  )
}
