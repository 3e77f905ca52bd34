import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { useSite } from '../../session/use-site.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { hasFingerprint } from './engine/new-upload-file.ts'
import { planResume } from './engine/transfers/resume-plan.ts'
import { ACCEPTED_ENDINGS, acceptedText, checkFiles, type RejectedFile } from './file-checks.ts'
import type { PatientUpload } from './new-upload.queries.ts'
import { NewUploadFileList } from './new-upload-file-list.tsx'
import type { NewUploadPatient } from './new-upload-form.tsx'
import { RejectedFiles } from './rejected-files.tsx'
import { UploadLeaveGuard } from './upload-leave-guard.tsx'
import { UploadProgressCard } from './upload-progress-card.tsx'
import type { NewUploadState } from './use-new-upload.ts'

const NewUploadForm = lazyOnIdle(() => import('./new-upload-form.tsx'), 'NewUploadForm')

const TOO_LATE_REASON = 'încărcarea se trimite deja la verificare'

export interface NewUploadPanelProps {
  patient: NewUploadPatient
  newUpload: NewUploadState
  /** All uploads of the patient, to find files that the patient already has. */
  uploads: readonly PatientUpload[]
  /** The uploads that can be continued. */
  unfinished: readonly PatientUpload[]
}

/** Chooses files for a patient, describes them and sends them. */
export function NewUploadPanel({ patient, newUpload, uploads, unfinished }: NewUploadPanelProps) {
  const { upload, files, open } = newUpload
  const site = useSite()
  const [rejected, setRejected] = useState<RejectedFile[]>([])
  const panel = useRef<HTMLDivElement>(null)
  useRestoredFocus(panel, open?.target.uploadId ?? null)
  const choose = (chosen: File[]) => {
    const checked = checkFiles(chosen, files.length, site)
    const isAdded = checked.accepted.length === 0 || upload.choose(checked.accepted)
    setRejected(isAdded ? checked.rejected : chosen.map(({ name }) => ({ name, reason: TOO_LATE_REASON })))
  }
  const cancel = () => {
    upload.stop()
    setRejected([])
    panel.current?.focus({ preventScroll: true })
  }
  return (
    <div ref={panel} tabIndex={-1} className="grid gap-6 outline-none">
      <UploadLeaveGuard loss={newUpload.loss} />
      {rejected.length > 0 && <RejectedFiles rejected={rejected} />}
      {open ? (
        <UploadProgressCard newUpload={newUpload} open={open} onFiles={choose} />
      ) : (
        <ChosenFilesCard newUpload={newUpload} uploads={uploads} unfinished={unfinished} onFiles={choose}>
          <NewUploadForm
            patient={patient}
            fileNames={files.filter(({ status }) => status !== 'duplicate').map(({ name }) => name)}
            onSubmit={(input) => {
              setRejected([])
              return upload.begin(input)
            }}
            onCancel={cancel}
            isPending={newUpload.draft.status === 'creating'}
          />
        </ChosenFilesCard>
      )}
    </div>
  )
}

interface ChosenFilesCardProps extends Omit<NewUploadPanelProps, 'patient'> {
  onFiles: (files: File[]) => void
  /** The form, shown once a file is chosen. */
  children: ReactNode
}

/** The chosen files before they are sent. */
function ChosenFilesCard({ newUpload, uploads, unfinished, onFiles, children }: ChosenFilesCardProps) {
  const { upload, engine, files, draft } = newUpload
  const site = useSite()
  const isCreating = draft.status === 'creating'
  const isEmpty = files.length === 0
  return (
    <Card title="Încarcă rezultate" meta={!isEmpty && counted(files.length, 'fișier', 'fișiere')}>
      <div className="grid gap-5">
        {!isEmpty && (
          <NewUploadFileList
            files={files}
            engine={engine}
            noteOf={({ sha256 }) => describeCopy(sha256, uploads)}
            onRemove={isCreating ? undefined : upload.remove}
            className="-my-2"
          />
        )}
        <ContinueAlert newUpload={newUpload} unfinished={unfinished} />
        <DropArea
          onFiles={onFiles}
          title={isEmpty ? 'Trage aici rezultatele pacientului' : 'Trage aici și alte fișiere'}
          help={isEmpty ? acceptedText(site) : undefined}
          accept={ACCEPTED_ENDINGS}
          isCompact={!isEmpty}
          isDisabled={isCreating}
        />
        {!isEmpty && children}
      </div>
    </Card>
  )
}

/** Offers to continue the unfinished upload that one of the chosen files belongs to. */
function ContinueAlert({ newUpload, unfinished }: Pick<NewUploadPanelProps, 'newUpload' | 'unfinished'>) {
  const files = newUpload.files.filter(hasFingerprint)
  const upload = unfinished.find((each) => files.some((file) => planResume(file, each).kind === 'continue'))
  if (!upload) return null
  return (
    <Alert
      tone="info"
      isLive
      title={`Începută deja: ${upload.title} (nr. ${upload.number})`}
      actions={
        <Button
          icon="play"
          isDisabled={newUpload.draft.status === 'creating'}
          onPress={() => newUpload.upload.resume(upload)}
        >
          Continuă de unde a rămas
        </Button>
      }
    >
      O parte din aceste fișiere a ajuns într-o încărcare neterminată. Toate fișierele din listă merg acolo.
    </Alert>
  )
}

/** Moves the focus to the panel when `target` changes and the focused element disappears. */
function useRestoredFocus(panel: RefObject<HTMLElement | null>, target: string | null) {
  const lastTarget = useRef(target)
  useEffect(() => {
    if (lastTarget.current === target) return
    lastTarget.current = target
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true })
  }, [panel, target])
}

/**
 * Returns the Romanian sentence that names the patient's upload with the same file; null if there is none.
 */
function describeCopy(sha256: string | null, uploads: readonly PatientUpload[]): string | null {
  const upload = uploads.find(({ files }) => files.some((file) => file.sha256 === sha256))
  return upload ? `Pacientul are deja acest fișier: ${upload.title} (nr. ${upload.number})` : null
}
