import { useState } from 'react'
import { counted, formatBytes, formatDateTime } from '../../../shared/romania/romanian.ts'
import { useSite } from '../../session/use-site.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { CancelUploadDialog } from './cancel-upload-dialog.tsx'
import type { UploadEvents } from './engine/submission.ts'
import { checkFiles, type RejectedFile } from './file-checks.ts'
import type { PatientUpload } from './new-upload.queries.ts'
import { ReceivedFiles } from './received-files.tsx'
import { RejectedFiles } from './rejected-files.tsx'
import { submitUpload, withdrawUpload } from './upload-server.ts'
import type { NewUploadState } from './use-new-upload.ts'

export interface UnfinishedUploadProps {
  upload: PatientUpload
  newUpload: NewUploadState
}

/**
 * An upload that was created and never submitted, because the page was closed; offers to continue, submit or
 * cancel it.
 */
export function UnfinishedUpload({ upload, newUpload }: UnfinishedUploadProps) {
  const { number, title, createdAt, files, transfers } = upload
  const [isCancelOpen, setCancelOpen] = useState(false)
  const site = useSite()
  const [rejected, setRejected] = useState<RejectedFile[]>([])
  const { pending, submit, withdraw } = useUnfinished(upload, newUpload.events)
  // Files that are chosen or sent for another upload must not go into this one.
  const isBusy = pending !== null || newUpload.open !== null || newUpload.files.length > 0
  const choose = (chosen: File[]) => {
    const checked = checkFiles(chosen, files.length, site)
    const isTaken = checked.accepted.length === 0 || newUpload.upload.resume(upload, checked.accepted)
    setRejected(isTaken ? checked.rejected : chosen.map(({ name }) => ({ name, reason: BUSY_REASON })))
  }

  return (
    <Card
      title={title}
      meta={
        <StatusPill icon="pause" tone="warning">
          Neterminată
        </StatusPill>
      }
      actions={
        <Button
          variant="quiet"
          icon="close"
          isPending={pending === 'withdraw'}
          isDisabled={isBusy && pending !== 'withdraw'}
          onPress={() => setCancelOpen(true)}
        >
          Anulează încărcarea
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-sm text-muted">
          Nr. {number}, începută {formatDateTime(createdAt)}.{' '}
          {transfers.length > 0
            ? 'Alege din nou aceleași fișiere: continuă de unde au rămas.'
            : files.length > 0
              ? 'Fișierele au ajuns; mai trebuie trimise la verificare.'
              : 'Niciun fișier nu a ajuns încă.'}
        </p>
        <ReceivedFiles files={files} />
        {transfers.length > 0 && (
          <ul className="grid gap-3">
            {transfers.map((transfer) => (
              <li key={transfer.id}>
                <ProgressBar
                  label={transfer.name}
                  value={(transfer.received / transfer.size) * 100}
                  valueText={`${formatBytes(transfer.received)} din ${formatBytes(transfer.size)}`}
                />
              </li>
            ))}
          </ul>
        )}
        {rejected.length > 0 && <RejectedFiles rejected={rejected} />}
        <DropArea
          onFiles={choose}
          isDisabled={isBusy}
          title={transfers.length > 0 ? 'Trage aici aceleași fișiere' : 'Trage aici fișierele'}
          isCompact
        />
        {files.length > 0 && (
          <div className="flex justify-end">
            <Button
              icon="file-check"
              isPending={pending === 'submit'}
              isDisabled={isBusy && pending !== 'submit'}
              onPress={() => void submit()}
            >
              {transfers.length > 0
                ? `Trimite doar ce a ajuns (${counted(files.length, 'fișier', 'fișiere')})`
                : 'Trimite la verificare'}
            </Button>
          </div>
        )}
      </div>
      <CancelUploadDialog
        isOpen={isCancelOpen}
        onClose={() => setCancelOpen(false)}
        onCancelUpload={() => void withdraw()}
      />
    </Card>
  )
}

const BUSY_REASON = 'pagina încarcă acum alte fișiere'

/** Submits or withdraws the upload; `pending` says which of the two is under way. */
function useUnfinished({ id, title, number, files, transfers }: PatientUpload, events: UploadEvents) {
  const [pending, setPending] = useState<'submit' | 'withdraw' | null>(null)
  const target = { uploadId: id, title, number }
  return {
    pending,
    /** Submits what has arrived, as the card shows it, without the partial files. */
    submit: async () => {
      setPending('submit')
      const result = await submitUpload(id, {
        files: files.map(({ sha256 }) => sha256),
        discarded: transfers.map(({ sha256 }) => sha256),
      })
      setPending(null)
      if (result.kind === 'submitted') events.onSubmitted(target)
      else events.onSubmitFailed(target, result.error)
    },
    withdraw: async () => {
      setPending('withdraw')
      try {
        await withdrawUpload(id)
        events.onWithdrawn(target)
      } catch (error) {
        events.onWithdrawFailed(error)
      }
      setPending(null)
    },
  }
}
