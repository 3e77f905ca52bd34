import { useState } from 'react'
import { counted, formatBytes, formatDateTime } from '../../../shared/romania/romanian.ts'
import { useSite } from '../../session/use-site.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { Icon } from '../../ui/base/icon.tsx'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { CancelUploadDialog } from './cancel-upload-dialog.tsx'
import { checkFiles, type RejectedFile } from './file-checks.ts'
import type { PatientUpload } from './new-upload.queries.ts'
import { RejectedFiles } from './rejected-files.tsx'
import type { NewUpload } from './use-new-upload.ts'

/**
 * An upload that was created and never submitted, because the page was closed; offers to continue, submit or
 * cancel it.
 */
export function UnfinishedUpload({ upload, filing }: { upload: PatientUpload; filing: NewUpload }) {
  const { id, number, title, createdAt, files, transfers } = upload
  const [isCancelOpen, setCancelOpen] = useState(false)
  const [isSubmitting, setSubmitting] = useState(false)
  const site = useSite()
  const [rejected, setRejected] = useState<RejectedFile[]>([])
  // Files that are chosen or sent for another upload must not go into this one.
  const isBusy = filing.target !== null || filing.files.length > 0
  const submit = async () => {
    setSubmitting(true)
    await filing.submit({ uploadId: id, number, title })
    setSubmitting(false)
  }
  const choose = (chosen: File[]) => {
    const checked = checkFiles(chosen, files.length, site)
    setRejected(checked.rejected)
    if (checked.accepted.length === 0) return
    filing.engine.add(checked.accepted)
    filing.resume(upload)
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
        <Button variant="quiet" icon="close" isDisabled={isBusy} onPress={() => setCancelOpen(true)}>
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
        {(files.length > 0 || transfers.length > 0) && (
          <ul className="grid gap-3">
            {files.map((file) => (
              <li key={file.id} className="flex items-center gap-2 text-sm">
                <Icon name="check-circle" size={18} className="text-success" />
                <span className="min-w-0 truncate">{file.name}</span>
                <span className="shrink-0 text-muted">{formatBytes(file.size)}</span>
              </li>
            ))}
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
              isPending={isSubmitting}
              isDisabled={isBusy}
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
        onCancelUpload={() => void filing.withdraw(id)}
      />
    </Card>
  )
}
