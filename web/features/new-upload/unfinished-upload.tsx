import { useState } from 'react'
import { formatBytes, formatDateTime } from '../../../shared/romania/romanian.ts'
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
import { withdrawUpload } from './upload-server.ts'
import type { NewUploadState } from './use-new-upload.ts'

export interface UnfinishedUploadProps {
  upload: PatientUpload
  newUpload: NewUploadState
}

/**
 * An upload that was created and never submitted, because the page was closed; offers to continue or cancel
 * it.
 */
export function UnfinishedUpload({ upload, newUpload }: UnfinishedUploadProps) {
  const { number, title, createdAt, files, transfers } = upload
  const [isCancelOpen, setCancelOpen] = useState(false)
  const site = useSite()
  const [rejected, setRejected] = useState<RejectedFile[]>([])
  const { isPending, withdraw } = useWithdrawal(upload, newUpload.events)
  // Files that are chosen or sent for another upload must not go into this one.
  const isBusy = isPending || newUpload.open !== null || newUpload.files.length > 0
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
          isPending={isPending}
          isDisabled={isBusy && !isPending}
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
            <Button icon="play" isDisabled={isBusy} onPress={() => newUpload.upload.resume(upload)}>
              Continuă
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

/** Withdraws the upload. */
function useWithdrawal({ id, title, number }: PatientUpload, events: UploadEvents) {
  const [isPending, setPending] = useState(false)
  const withdraw = async () => {
    setPending(true)
    try {
      await withdrawUpload(id)
      events.onWithdrawn({ uploadId: id, title, number })
    } catch (error) {
      events.onWithdrawFailed(error)
    }
    setPending(false)
  }
  return { isPending, withdraw }
}
