import { useState } from 'react'
import { counted, formatBytes } from '../../../shared/romania/romanian.ts'
import { useIsOffline } from '../../session/connection.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { CancelUploadDialog } from './cancel-upload-dialog.tsx'
import { canPause, sumProgress } from './engine/new-upload-file.ts'
import { NewUploadFileList } from './new-upload-file-list.tsx'
import type { NewUpload } from './use-new-upload.ts'
import type { NewUploadTarget } from './use-submission.ts'

export interface UploadProgressCardProps {
  filing: NewUpload
  target: NewUploadTarget
  onFiles: (files: File[]) => void
}

/**
 * The files of an upload while they are sent: the progress of each, what is missing, and the actions on them.
 */
export function UploadProgressCard({ filing, target, onFiles }: UploadProgressCardProps) {
  const isOffline = useIsOffline()
  const [isCancelOpen, setCancelOpen] = useState(false)
  return (
    <Card
      title={`Se încarcă: ${target.title}`}
      actions={
        <>
          <PauseButton filing={filing} />
          <Button
            variant="quiet"
            icon="close"
            isPending={filing.isCancelling}
            onPress={() => setCancelOpen(true)}
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
        <SubmitFailure filing={filing} target={target} />
        <TotalProgress filing={filing} />
        <NewUploadFileList
          files={filing.files}
          engine={filing.engine}
          onRemove={filing.files.length > 1 ? filing.remove : undefined}
          className="border-t border-line"
        />
        <MissingFiles filing={filing} target={target} onFiles={onFiles} />
      </div>
      <CancelUploadDialog
        isOpen={isCancelOpen}
        onClose={() => setCancelOpen(false)}
        onCancelUpload={() => void filing.withdraw(target.uploadId)}
      />
    </Card>
  )
}

/** Pauses or resumes all files. */
function PauseButton({ filing: { engine, files } }: { filing: NewUpload }) {
  if (files.some(({ status }) => status === 'paused')) {
    return (
      <Button variant="quiet" icon="play" onPress={engine.resumeAll}>
        Continuă
      </Button>
    )
  }
  if (!files.some(canPause)) return null
  return (
    <Button variant="quiet" icon="pause" onPress={engine.pauseAll}>
      Pauză
    </Button>
  )
}

function SubmitFailure({ filing, target }: { filing: NewUpload; target: NewUploadTarget }) {
  if (!filing.submitFailure) return null
  return (
    <Alert
      tone="danger"
      isLive
      title="Fișierele au ajuns, dar nu au fost trimise la verificare"
      actions={
        <Button icon="retry" onPress={() => void filing.submit(target)}>
          Încearcă din nou
        </Button>
      }
    >
      {filing.submitFailure}
    </Alert>
  )
}

function TotalProgress({ filing: { files, isComplete } }: { filing: NewUpload }) {
  const { done, size } = sumProgress(files)
  const expected = files.filter(({ status }) => status !== 'skipped').length
  return (
    <ProgressBar
      label={
        isComplete
          ? 'Se trimite la verificare…'
          : `${countSent(files)} din ${counted(expected, 'fișier', 'fișiere')}`
      }
      value={size === 0 ? null : (done / size) * 100}
      valueText={`${formatBytes(done)} din ${formatBytes(size)}`}
    />
  )
}

/** The files that the server has only a part of and that are not chosen yet. */
function MissingFiles({ filing, target, onFiles }: UploadProgressCardProps) {
  const { files, missing } = filing
  if (missing.length === 0) return null
  return (
    <>
      <Alert
        tone="info"
        title={`${counted(missing.length, 'fișier mai lipsește', 'fișiere mai lipsesc')} din această încărcare`}
        actions={
          countSent(files) > 0 && (
            <Button icon="file-check" onPress={() => void filing.submit(target)}>
              Trimite fără {missing.length === 1 ? 'el' : 'ele'}
            </Button>
          )
        }
      >
        {missing.map(({ name }) => name).join(', ')}
      </Alert>
      <DropArea onFiles={onFiles} title="Trage aici fișierele care lipsesc" isCompact />
    </>
  )
}

const countSent = (files: NewUpload['files']): number =>
  files.filter(({ status }) => status === 'sent').length
