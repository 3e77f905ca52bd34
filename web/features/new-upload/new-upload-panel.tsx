import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { useSite } from '../../session/use-site.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { hasFingerprint } from './engine/new-upload-file.ts'
import { planResume } from './engine/resume-plan.ts'
import { ACCEPTED_ENDINGS, acceptedText, checkFiles, type RejectedFile } from './file-checks.ts'
import type { PatientUpload } from './new-upload.queries.ts'
import { NewUploadFileList } from './new-upload-file-list.tsx'
import type { NewUploadPatient } from './new-upload-form.tsx'
import { RejectedFiles } from './rejected-files.tsx'
import { UploadLeaveGuard } from './upload-leave-guard.tsx'
import { UploadProgressCard } from './upload-progress-card.tsx'
import type { NewUpload } from './use-new-upload.ts'

const NewUploadForm = lazyOnIdle(() => import('./new-upload-form.tsx'), 'NewUploadForm')

export interface NewUploadPanelProps {
  patient: NewUploadPatient
  filing: NewUpload
  /** All uploads of the patient, to find files that the patient already has. */
  uploads: readonly PatientUpload[]
  /** The uploads that can be continued. */
  unfinished: readonly PatientUpload[]
}

/** Chooses files for a patient, describes them and sends them. */
export function NewUploadPanel({ patient, filing, uploads, unfinished }: NewUploadPanelProps) {
  const { engine, files, target } = filing
  const site = useSite()
  const [rejected, setRejected] = useState<RejectedFile[]>([])
  const panel = useRef<HTMLDivElement>(null)
  useRestoredFocus(panel, target?.uploadId ?? null)
  const choose = (chosen: File[]) => {
    const checked = checkFiles(chosen, files.length, site)
    setRejected(checked.rejected)
    if (checked.accepted.length > 0) engine.add(checked.accepted)
  }
  const cancel = () => {
    engine.stop()
    setRejected([])
    panel.current?.focus({ preventScroll: true })
  }
  return (
    <div ref={panel} tabIndex={-1} className="grid gap-6 outline-none">
      <UploadLeaveGuard loses={filing.isActive ? 'sending' : !target && files.length > 0 ? 'filing' : null} />
      {rejected.length > 0 && <RejectedFiles rejected={rejected} />}
      {target ? (
        <UploadProgressCard filing={filing} target={target} onFiles={choose} />
      ) : (
        <ChosenFilesCard filing={filing} uploads={uploads} unfinished={unfinished} onFiles={choose}>
          <NewUploadForm
            patient={patient}
            fileNames={files.filter(({ status }) => status !== 'skipped').map(({ name }) => name)}
            onSubmit={(input) => {
              setRejected([])
              return filing.begin(input)
            }}
            onCancel={cancel}
            isPending={filing.creation.loading}
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
function ChosenFilesCard({ filing, uploads, unfinished, onFiles, children }: ChosenFilesCardProps) {
  const { engine, files } = filing
  const site = useSite()
  const isEmpty = files.length === 0
  return (
    <Card title="Încarcă rezultate" meta={!isEmpty && counted(files.length, 'fișier', 'fișiere')}>
      <div className="grid gap-5">
        {!isEmpty && (
          <NewUploadFileList
            files={files}
            engine={engine}
            noteOf={({ sha256 }) => describeCopy(sha256, uploads)}
            onRemove={({ id }) => engine.remove(id)}
            className="-my-2"
          />
        )}
        <ContinueAlert filing={filing} unfinished={unfinished} />
        <DropArea
          onFiles={onFiles}
          title={isEmpty ? 'Trage aici rezultatele pacientului' : 'Trage aici și alte fișiere'}
          help={isEmpty ? acceptedText(site) : undefined}
          accept={ACCEPTED_ENDINGS}
          isCompact={!isEmpty}
        />
        {!isEmpty && children}
      </div>
    </Card>
  )
}

/** Offers to continue the unfinished upload that one of the chosen files belongs to. */
function ContinueAlert({ filing, unfinished }: Pick<NewUploadPanelProps, 'filing' | 'unfinished'>) {
  const files = filing.files.filter(hasFingerprint)
  const upload = unfinished.find((each) => files.some((file) => planResume(file, each).kind === 'continue'))
  if (!upload) return null
  return (
    <Alert
      tone="info"
      isLive
      title={`Începută deja: ${upload.title} (nr. ${upload.number})`}
      actions={
        <Button icon="play" onPress={() => filing.resume(upload)}>
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
