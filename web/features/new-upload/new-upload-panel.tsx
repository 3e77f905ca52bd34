import { type ReactNode, useEffect, useRef, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useSite } from '../../session/use-site.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { PageDrop } from '../../ui/controls/page-drop.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { useKeptFocus } from '../../ui/hooks/use-kept-focus.ts'
import { CheckedFiles } from './checks/checked-files.tsx'
import { listConcerns } from './checks/concerns.ts'
import { isOnlyChosen } from './engine/draft.ts'
import { hasFingerprint } from './engine/new-upload-file.ts'
import { mayContinue, planResume } from './engine/transfers/resume-plan.ts'
import { ACCEPTED_ENDINGS, acceptedText, checkFiles, type RejectedFile } from './file-checks.ts'
import type { PatientUpload } from './new-upload.queries.ts'
import { describeNewUpload, detailsOf, type NewUploadPatient } from './new-upload-details.ts'
import { RejectedFiles } from './rejected-files.tsx'
import { UploadLeaveGuard } from './upload-leave-guard.tsx'
import { MissingAlert, UploadProgressCard } from './upload-progress-card.tsx'
import type { UploadInput } from './upload-server.ts'
import type { NewUploadState } from './use-new-upload.ts'

const NewUploadForm = lazyOnIdle(() => import('./new-upload-form.tsx'), 'NewUploadForm')

const TOO_LATE_REASON = 'încărcarea se trimite deja la verificare'

export interface NewUploadPanelProps {
  patient: NewUploadPatient
  newUpload: NewUploadState
  /** All uploads of the patient, to find what a continued one says. */
  uploads: readonly PatientUpload[]
  /** The uploads that can be continued; null until they are known. */
  unfinished: readonly PatientUpload[] | null
}

/** Chooses files for a patient, sends them at once, and asks what they are before it hands them in. */
export function NewUploadPanel({ patient, newUpload, uploads, unfinished }: NewUploadPanelProps) {
  const { upload, files, open, draft } = newUpload
  const site = useSite()
  const [rejected, setRejected] = useState<RejectedFile[]>([])
  const [isPending, setPending] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const isHandedIn = open?.isHandedIn ?? false
  const isBusy = isPending || draft.status === 'moving'
  useKeptFocus(panel)
  const names = files.filter(({ status }) => status !== 'duplicate').map(({ name }) => name)
  const begin = () => void upload.prepare(describeNewUpload(patient, names))
  const continued = open?.isContinued ? uploads.find(({ id }) => id === open.target.uploadId) : undefined

  const choose = (chosen: File[]) => {
    const checked = checkFiles(chosen, files.length + (open?.earlier.files.length ?? 0), site)
    const isAdded = checked.accepted.length === 0 || upload.choose(checked.accepted)
    setRejected(isAdded ? checked.rejected : chosen.map(({ name }) => ({ name, reason: TOO_LATE_REASON })))
  }
  const handIn = async (input: UploadInput) => {
    setRejected([])
    const concerns = listConcerns(newUpload.checks.bySha256.values(), patient.id)
    if (concerns.length > 0 && !(await newUpload.question.ask(concerns))) return
    setPending(true)
    await upload.handIn(input).finally(() => setPending(false))
  }
  const cancel = async () => {
    setRejected([])
    panel.current?.focus({ preventScroll: true })
    if (open && isOnlyChosen(open)) await upload.withdraw()
    else upload.leave()
  }
  return (
    <div ref={panel} tabIndex={-1} className="grid gap-6 outline-none">
      <UploadLeaveGuard loss={newUpload.loss} onLeave={newUpload.onLeave} />
      {newUpload.question.dialog}
      {rejected.length > 0 && <RejectedFiles rejected={rejected} />}
      <PageDrop
        onFiles={choose}
        title={`Lasă fișierele aici: ${patient.name}`}
        isDisabled={isHandedIn || isBusy}
      />
      {isHandedIn && <UploadProgressCard newUpload={newUpload} open={open!} onFiles={choose} />}
      {/* What was typed stays, for when the server does not accept it. */}
      <div hidden={isHandedIn}>
        <ChosenFilesCard
          newUpload={newUpload}
          unfinished={unfinished}
          onFiles={choose}
          onBegin={begin}
          isHandedIn={isHandedIn}
          isPending={isBusy}
        >
          <NewUploadForm
            key={open?.isContinued ? open.target.uploadId : 'new'}
            patient={patient}
            fileNames={names}
            stored={continued && detailsOf(continued)}
            proposal={newUpload.checks.proposal}
            onSubmit={handIn}
            onCancel={() => void cancel()}
            isPending={isPending || draft.status === 'withdrawing' || draft.status === 'moving'}
          />
        </ChosenFilesCard>
      </div>
    </div>
  )
}

interface ChosenFilesCardProps extends Omit<NewUploadPanelProps, 'patient' | 'uploads'> {
  onFiles: (files: File[]) => void
  /** Creates the upload of the chosen files. */
  onBegin: () => void
  isHandedIn: boolean
  /** Whether the upload is being handed in. */
  isPending: boolean
  /** The form, shown once a file is chosen. */
  children: ReactNode
}

/** The chosen files and the form about them, before they are handed in. */
function ChosenFilesCard({ children, ...props }: ChosenFilesCardProps) {
  const { files, open } = props.newUpload
  const count = files.length + (open?.earlier.files.length ?? 0)
  if (files.length === 0 && !open)
    return (
      <section>
        <h2 className="sr-only">Încarcă rezultate</h2>
        {!props.isHandedIn && <ChosenFiles {...props} />}
      </section>
    )
  return (
    <Card
      title={open?.isContinued ? `Continuă încărcarea nr. ${open.target.number}` : 'Încarcă rezultate'}
      meta={count > 0 && counted(count, 'fișier', 'fișiere')}
    >
      <div className="grid gap-5">
        {!props.isHandedIn && <ChosenFiles {...props} />}
        {(count > 0 || open?.isContinued) && children}
      </div>
    </Card>
  )
}

function ChosenFiles(props: Omit<ChosenFilesCardProps, 'children'>) {
  const { newUpload, onFiles, isPending } = props
  const { files, open, missing } = newUpload
  const site = useSite()
  const isEmpty = files.length === 0 && !open
  return (
    <>
      <CheckedFiles newUpload={newUpload} isFixed={isPending} className="-my-2" />
      <Beginning {...props} />
      {missing.length > 0 && <MissingAlert missing={missing} />}
      <DropArea
        onFiles={onFiles}
        title={isEmpty ? 'Trage aici rezultatele pacientului' : 'Trage aici și alte fișiere'}
        help={isEmpty ? acceptedText(site) : undefined}
        accept={ACCEPTED_ENDINGS}
        takesPhotos
        isCompact
        isDisabled={isPending}
      />
    </>
  )
}

/**
 * Creates the upload as soon as files are chosen, unless one of them may belong to an unfinished upload: then the user
 * decides first.
 */
function Beginning({ newUpload, unfinished, onBegin }: Omit<ChosenFilesCardProps, 'children'>) {
  const { draft, files, upload } = newUpload
  const isWaiting =
    unfinished === null || files.some((file) => unfinished.some((each) => mayContinue(file, each)))
  const isNew = draft.status === 'choosing' && draft.failure === undefined && files.length > 0
  useEffect(() => {
    if (isNew && !isWaiting) onBegin()
  })
  if (draft.status === 'choosing' && draft.failure !== undefined)
    return (
      <Alert
        tone="danger"
        isLive
        title="Încărcarea nu a început"
        actions={
          <Button icon="retry" onPress={onBegin}>
            Încearcă din nou
          </Button>
        }
      >
        {errorMessage(draft.failure)}
      </Alert>
    )
  const known = files.filter(hasFingerprint)
  const found =
    !newUpload.open &&
    unfinished?.find((each) => known.some((file) => planResume(file, each).kind === 'continue'))
  if (!found) return null
  const isCreating = draft.status === 'creating'
  return (
    <Alert
      tone="info"
      isLive
      title={`Începută deja: ${found.title} (nr. ${found.number})`}
      actions={
        <>
          <Button icon="play" isDisabled={isCreating} onPress={() => upload.resume(found)}>
            Continuă de unde a rămas
          </Button>
          <Button variant="quiet" isDisabled={isCreating} onPress={onBegin}>
            Începe alta
          </Button>
        </>
      }
    >
      O parte din aceste fișiere a ajuns într-o încărcare neterminată. Toate fișierele din listă merg acolo.
    </Alert>
  )
}
