import { type ReactNode, useState } from 'react'
import { counted, formatBytes } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useIsOffline } from '../../session/use-is-offline.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { CancelUploadDialog } from './cancel-upload-dialog.tsx'
import { CheckedFiles } from './checks/checked-files.tsx'
import { canChange, canSubmit, type OpenDraft } from './engine/draft.ts'
import { canPause, sumProgress } from './engine/new-upload-file.ts'
import { OfflineAlert } from './offline-alert.tsx'
import type { OpenUploadState } from './use-new-upload.ts'

export interface UploadProgressCardProps {
  newUpload: OpenUploadState
  open: OpenDraft
  onFiles: (files: File[]) => void
  /** Stops the transfer and keeps the upload; undefined: the card offers to withdraw it. */
  onLeave?: () => void
}

/**
 * The files of an upload while they are sent: the progress of each, what is missing, and the actions on them.
 */
export function UploadProgressCard({ newUpload, open, onFiles, onLeave }: UploadProgressCardProps) {
  const { upload, files } = newUpload
  const isOffline = useIsOffline()
  const [isCancelOpen, setCancelOpen] = useState(false)
  return (
    <Card
      title={`Se încarcă: ${open.target.title}`}
      actions={
        <>
          <PauseButton newUpload={newUpload} />
          <Button
            variant="quiet"
            icon="close"
            isPending={open.status === 'withdrawing'}
            isDisabled={open.status === 'submitting'}
            onPress={() => {
              if (onLeave) return onLeave()
              upload.hold()
              setCancelOpen(true)
            }}
          >
            {onLeave ? 'Oprește' : 'Anulează încărcarea'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {isOffline && <OfflineAlert title="Încărcarea așteaptă conexiunea" />}
        <NotHandedIn newUpload={newUpload} open={open} />
        <SubmitFailure newUpload={newUpload} open={open} />
        <KeptFiles newUpload={newUpload} />
        <TotalProgress files={files} status={open.status} />
        <CheckedFiles
          newUpload={newUpload}
          isFixed={open.isHandedIn && files.length <= 1}
          className="border-t border-line"
        />
        <MissingFiles newUpload={newUpload} open={open} onFiles={onFiles} />
      </div>
      <CancelUploadDialog
        isOpen={isCancelOpen}
        onClose={() => {
          upload.unhold()
          setCancelOpen(false)
        }}
        onCancelUpload={() => void upload.withdraw()}
      />
    </Card>
  )
}

/** Pauses or resumes all files. */
function PauseButton({ newUpload: { engine, files } }: { newUpload: OpenUploadState }) {
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

/** Says that the user has gone back from the submission to look at the files. */
function NotHandedIn({
  newUpload: { upload, files },
  open,
}: Omit<UploadProgressCardProps, 'onFiles' | 'onLeave'>) {
  if (open.isHandedIn || open.status === 'refused') return null
  return (
    <Alert
      tone="warning"
      title="Încărcarea nu a fost trimisă la verificare"
      actions={
        <Button icon="file-check" isDisabled={!canSubmit(open, files)} onPress={() => void upload.submit()}>
          Trimite la verificare
        </Button>
      }
    >
      Scoate fișierele greșite, apoi trimite-o.
    </Alert>
  )
}

function SubmitFailure({ newUpload, open }: Omit<UploadProgressCardProps, 'onFiles' | 'onLeave'>) {
  const { upload, files, missing } = newUpload
  if (open.status !== 'refused') return null
  return (
    <Alert
      tone="danger"
      isLive
      title="Încărcarea nu a fost trimisă la verificare"
      actions={
        missing.length === 0 && (
          <Button icon="file-check" isDisabled={!canSubmit(open, files)} onPress={() => void upload.submit()}>
            Trimite la verificare
          </Button>
        )
      }
    >
      {errorMessage(open.failure)}
    </Alert>
  )
}

/** Asks about the files that arrived before the server could delete them. */
function KeptFiles({ newUpload: { engine, files } }: { newUpload: OpenUploadState }) {
  const kept = files.filter(({ status }) => status === 'kept')
  if (kept.length === 0) return null
  const names = kept.map(({ name }) => `„${name}”`).join(', ')
  return (
    <Alert
      tone="warning"
      isLive
      title={counted(
        kept.length,
        'fișier a ajuns înainte să fie scos',
        'fișiere au ajuns înainte să fie scoase',
      )}
      actions={
        <Button icon="file-check" onPress={engine.acceptKept}>
          {kept.length === 1 ? 'Trimite și cu el' : 'Trimite și cu ele'}
        </Button>
      }
    >
      Nu se mai poate scoate: {names}. Ca să nu se trimită, anulează încărcarea.
    </Alert>
  )
}

function TotalProgress({ files, status }: { files: Files; status: OpenDraft['status'] }) {
  const { done, size } = sumProgress(files)
  const expected = files.filter(({ status }) => status !== 'duplicate').length
  return (
    <ProgressBar
      label={
        status === 'submitting'
          ? 'Se trimite la verificare…'
          : status === 'asking'
            ? 'Se citesc fișierele…'
            : `${countSent(files)} din ${counted(expected, 'fișier', 'fișiere')}`
      }
      value={size === 0 ? null : (done / size) * 100}
      valueText={`${formatBytes(done)} din ${formatBytes(size)}`}
    />
  )
}

/** The files that the server has only a part of and that are neither chosen nor left out. */
function MissingFiles({ newUpload, open, onFiles }: UploadProgressCardProps) {
  const { upload, files, missing } = newUpload
  if (missing.length === 0) return null
  const isWithout = countSent(files) + open.earlier.files.length > 0
  return (
    <>
      <MissingAlert
        missing={missing}
        actions={
          isWithout && (
            <Button
              icon="file-check"
              isPending={open.status === 'submitting'}
              isDisabled={!canSubmit(open, files)}
              onPress={() => void upload.submit()}
            >
              Trimite fără {missing.length === 1 ? 'el' : 'ele'}
            </Button>
          )
        }
      />
      <DropArea
        onFiles={onFiles}
        title="Trage aici fișierele care lipsesc"
        isCompact
        isDisabled={!canChange(open)}
      />
    </>
  )
}

export const MissingAlert = ({
  missing,
  actions,
}: Pick<OpenUploadState, 'missing'> & { actions?: ReactNode }) => (
  <Alert
    tone="info"
    title={`${counted(missing.length, 'fișier mai lipsește', 'fișiere mai lipsesc')} din această încărcare`}
    actions={actions}
  >
    {missing.map(({ name }) => name).join(', ')}
  </Alert>
)

type Files = OpenUploadState['files']
const countSent = (files: Files): number => files.filter(({ status }) => status === 'sent').length
