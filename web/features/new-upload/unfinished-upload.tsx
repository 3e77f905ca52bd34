import { useState } from 'react'
import { counted, formatBytes, formatDateTime } from '../../../shared/romania/romanian.ts'
import { useSite } from '../../session/use-site.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { Icon } from '../../ui/base/icon.tsx'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import { checkFiles, type RejectedFile } from './file-checks.ts'
import type { PatientUpload } from './new-upload.queries.ts'
import { RejectedFiles } from './rejected-files.tsx'
import { CancelUploadDialog } from './upload-progress-card.tsx'
import type { NewUpload } from './use-new-upload.ts'

/** An upload that was begun and never handed in: the page was closed, the machine went off. */
export function UnfinishedUpload({ upload, filing }: { upload: PatientUpload; filing: NewUpload }) {
  const { id, number, title, createdAt, files, transfers } = upload
  const [asksToCancel, setAsksToCancel] = useState(false)
  const [isHandingIn, setHandingIn] = useState(false)
  const site = useSite()
  const [refused, setRefused] = useState<RejectedFile[]>([])
  // Files that are being sent, or chosen for another upload, would go into this one.
  const isBusy = filing.target !== null || filing.files.length > 0
  const handIn = async () => {
    setHandingIn(true)
    await filing.handIn({ uploadId: id, number, title })
    setHandingIn(false)
  }
  const choose = (chosen: File[]) => {
    const checked = checkFiles(chosen, files.length, site)
    setRefused(checked.refused)
    if (checked.taken.length === 0) return
    filing.engine.add(checked.taken)
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
        <Button variant="quiet" icon="close" isDisabled={isBusy} onPress={() => setAsksToCancel(true)}>
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
        {refused.length > 0 && <RejectedFiles refused={refused} />}
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
              isPending={isHandingIn}
              isDisabled={isBusy}
              onPress={() => void handIn()}
            >
              {transfers.length > 0
                ? `Trimite doar ce a ajuns (${counted(files.length, 'fișier', 'fișiere')})`
                : 'Trimite la verificare'}
            </Button>
          </div>
        )}
      </div>
      <CancelUploadDialog
        isOpen={asksToCancel}
        onClose={() => setAsksToCancel(false)}
        onCancelUpload={() => void filing.withdraw(id)}
      />
    </Card>
  )
}
