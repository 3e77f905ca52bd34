import { useState } from 'react'
import { counted, formatBytes } from '../../../shared/romania/romanian.ts'
import { useIsOffline } from '../../session/connection.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { sumProgress } from './new-upload-file.ts'
import { NewUploadFileRow } from './new-upload-file-row.tsx'
import type { NewUpload, NewUploadTarget } from './use-new-upload.ts'

export interface UploadProgressCardProps {
  filing: NewUpload
  target: NewUploadTarget
  onFiles: (files: File[]) => void
}

/** Files on their way into an upload: how far each is, what is still missing, and what can be done about it. */
export function UploadProgressCard({ filing, target, onFiles }: UploadProgressCardProps) {
  const { engine, files, missing, isComplete } = filing
  const isOffline = useIsOffline()
  const [asksToCancel, setAsksToCancel] = useState(false)
  const { done, size } = sumProgress(files)
  const isPaused = files.some(({ status }) => status === 'paused')
  const canPause = files.some(({ status }) => ['waiting', 'sending', 'retrying'].includes(status))
  const arrived = files.filter(({ status }) => status === 'sent').length
  const expected = files.filter(({ status }) => status !== 'skipped').length

  return (
    <Card
      title={`Se încarcă: ${target.title}`}
      actions={
        <>
          {isPaused ? (
            <Button variant="quiet" icon="play" onPress={engine.resumeAll}>
              Continuă
            </Button>
          ) : (
            canPause && (
              <Button variant="quiet" icon="pause" onPress={engine.pauseAll}>
                Pauză
              </Button>
            )
          )}
          <Button
            variant="quiet"
            icon="close"
            isPending={filing.isCancelling}
            onPress={() => setAsksToCancel(true)}
          >
            Anulează încărcarea
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {isOffline && (
          <Alert tone="warning" isLive icon="offline" title="Încărcarea așteaptă conexiunea">
            Continuă singură, de unde a rămas, când revine rețeaua. Nu închide pagina.
          </Alert>
        )}
        {filing.handInFailure && (
          <Alert
            tone="danger"
            isLive
            title="Fișierele au ajuns, dar nu au fost trimise la verificare"
            actions={
              <Button icon="retry" onPress={() => void filing.handIn(target)}>
                Încearcă din nou
              </Button>
            }
          >
            {filing.handInFailure}
          </Alert>
        )}
        <ProgressBar
          label={
            isComplete
              ? 'Se trimite la verificare…'
              : `${arrived} din ${counted(expected, 'fișier', 'fișiere')}`
          }
          value={size === 0 ? null : (done / size) * 100}
          valueText={`${formatBytes(done)} din ${formatBytes(size)}`}
        />
        <ul className="divide-y divide-line border-t border-line">
          {files.map((file) => (
            <NewUploadFileRow
              key={file.id}
              file={file}
              onPause={() => engine.pause(file.id)}
              onResume={() => engine.resume(file.id)}
              onRetry={() => engine.retry(file.id)}
              onRemove={files.length > 1 ? () => filing.remove(file) : undefined}
            />
          ))}
        </ul>
        {missing.length > 0 && (
          <>
            <Alert
              tone="info"
              title={`${counted(missing.length, 'fișier mai lipsește', 'fișiere mai lipsesc')} din această încărcare`}
              actions={
                arrived > 0 && (
                  <Button icon="file-check" onPress={() => void filing.handIn(target)}>
                    Trimite fără {missing.length === 1 ? 'el' : 'ele'}
                  </Button>
                )
              }
            >
              {missing.map(({ name }) => name).join(', ')}
            </Alert>
            <DropArea onFiles={onFiles} title="Trage aici fișierele care lipsesc" isCompact />
          </>
        )}
      </div>
      <CancelUploadDialog
        isOpen={asksToCancel}
        onClose={() => setAsksToCancel(false)}
        onCancelUpload={() => void filing.withdraw(target.uploadId)}
      />
    </Card>
  )
}

export function CancelUploadDialog({
  isOpen,
  onClose,
  onCancelUpload,
}: {
  isOpen: boolean
  onClose: () => void
  onCancelUpload: () => void
}) {
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isOpen={isOpen}
      onOpenChange={onClose}
      title="Anulezi încărcarea?"
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            Păstrează încărcarea
          </Button>
          <Button
            variant="danger"
            onPress={() => {
              onClose()
              onCancelUpload()
            }}
          >
            Anulează încărcarea
          </Button>
        </>
      }
    >
      <p className="text-muted">Fișierele trimise până acum nu se mai verifică și nu ajung la nimeni.</p>
    </Dialog>
  )
}
