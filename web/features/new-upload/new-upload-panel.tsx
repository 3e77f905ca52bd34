import { type RefObject, useEffect, useRef, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { useSite } from '../../session/use-site.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { ACCEPTED_ENDINGS, acceptedText, checkFiles, type RejectedFile } from './file-checks.ts'
import type { PatientUpload } from './new-upload.queries.ts'
import { NewUploadFileRow } from './new-upload-file-row.tsx'
import type { NewUploadPatient } from './new-upload-form.tsx'
import { RejectedFiles } from './rejected-files.tsx'
import { planResume } from './resume-plan.ts'
import { UploadLeaveGuard } from './upload-leave-guard.tsx'
import { UploadProgressCard } from './upload-progress-card.tsx'
import type { NewUpload } from './use-new-upload.ts'

const FilingForm = lazyOnIdle(() => import('./new-upload-form.tsx'), 'NewUploadForm')

export interface NewUploadPanelProps {
  patient: NewUploadPatient
  filing: NewUpload
  /** The patient's uploads: what the patient has already, and what could be gone on with. */
  uploads: readonly PatientUpload[]
  unfinished: readonly PatientUpload[]
}

/** Where results of a patient are dropped, described and sent. */
export function NewUploadPanel({ patient, filing, uploads, unfinished }: NewUploadPanelProps) {
  const { engine, files, target, creation } = filing
  const site = useSite()
  const [refused, setRefused] = useState<RejectedFile[]>([])
  const panel = useRef<HTMLDivElement>(null)
  useRestoredFocus(panel, target?.uploadId ?? null)
  const choose = (chosen: File[]) => {
    const checked = checkFiles(chosen, files.length, site)
    setRefused(checked.refused)
    if (checked.taken.length > 0) engine.add(checked.taken)
  }
  const cancel = () => {
    engine.stop()
    setRefused([])
    panel.current?.focus({ preventScroll: true })
  }

  const begun = unfinished.find((upload) =>
    files.some(
      ({ sha256, size }) => sha256 !== null && planResume({ sha256, size }, upload).kind === 'continue',
    ),
  )
  const drop = (
    <DropArea
      onFiles={choose}
      title={files.length === 0 ? 'Trage aici rezultatele pacientului' : 'Trage aici și alte fișiere'}
      help={files.length === 0 ? acceptedText(site) : undefined}
      accept={ACCEPTED_ENDINGS}
      isCompact={files.length > 0}
    />
  )
  return (
    <div ref={panel} tabIndex={-1} className="grid gap-6 outline-none">
      <UploadLeaveGuard loses={filing.isActive ? 'sending' : !target && files.length > 0 ? 'filing' : null} />
      {refused.length > 0 && <RejectedFiles refused={refused} />}
      {target ? (
        <UploadProgressCard filing={filing} target={target} onFiles={choose} />
      ) : (
        <Card title="Încarcă rezultate" meta={files.length > 0 && counted(files.length, 'fișier', 'fișiere')}>
          <div className="grid gap-5">
            {files.length > 0 && (
              <ul className="-my-2 divide-y divide-line">
                {files.map((file) => (
                  <NewUploadFileRow
                    key={file.id}
                    file={file}
                    note={noteOn(file.sha256, uploads)}
                    onPause={() => engine.pause(file.id)}
                    onResume={() => engine.resume(file.id)}
                    onRetry={() => engine.retry(file.id)}
                    onRemove={() => engine.remove(file.id)}
                  />
                ))}
              </ul>
            )}
            {begun && (
              <Alert
                tone="info"
                isLive
                title={`Începută deja: ${begun.title} (nr. ${begun.number})`}
                actions={
                  <Button icon="play" onPress={() => filing.resume(begun)}>
                    Continuă de unde a rămas
                  </Button>
                }
              >
                O parte din aceste fișiere a ajuns într-o încărcare neterminată. Toate fișierele din listă
                merg acolo.
              </Alert>
            )}
            {drop}
            {files.length > 0 && (
              <FilingForm
                patient={patient}
                fileNames={files.filter(({ status }) => status !== 'skipped').map(({ name }) => name)}
                onSubmit={(facts) => {
                  setRefused([])
                  return filing.begin(facts)
                }}
                onCancel={cancel}
                isPending={creation.loading}
              />
            )}
          </div>
        </Card>
      )}
    </div>
  )
}

/** Where a form gives way to the progress, and that to the drop area, the keyboard stays where it was. */
function useRestoredFocus(panel: RefObject<HTMLElement | null>, target: string | null) {
  const shown = useRef(target)
  useEffect(() => {
    if (shown.current === target) return
    shown.current = target
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true })
  }, [panel, target])
}

function noteOn(sha256: string | null, uploads: readonly PatientUpload[]): string | null {
  const holder = uploads.find(({ files }) => files.some((file) => file.sha256 === sha256))
  return holder ? `Pacientul are deja acest fișier: ${holder.title} (nr. ${holder.number})` : null
}
