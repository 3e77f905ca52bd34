import { useEffect, useId, useRef, useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import { proposeTitle, titleOfFiles } from '../../../shared/uploads/title-proposal.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Field } from '../../forms/core/field.ts'
import { Form, useForm } from '../../forms/core/form.tsx'
import { useProposal } from '../../forms/core/use-proposal.ts'
import { useSite } from '../../session/use-site.ts'
import { Button } from '../../ui/base/button.tsx'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { useCategoryOptions, withPath } from '../categories/use-category-options.ts'
import { canChange, isOnlyChosen } from '../new-upload/engine/draft.ts'
import { ACCEPTED_ENDINGS, acceptedText, checkFiles, type RejectedFile } from '../new-upload/file-checks.ts'
import { RejectedFiles } from '../new-upload/rejected-files.tsx'
import { useFindPatients } from '../patients/use-find-patients.ts'
import type { SentInput } from './send-server.ts'
import { SentFiles } from './sent-files.tsx'
import type { SentDraft } from './sent-uploads.queries.ts'
import type { Sending } from './use-sending.ts'

type Person = { id: string; name: string }

export interface SendingFormProps {
  sending: Sending
  /** The patient whom the form begins with; null: none. */
  patient: Person | null
  /** The draft that is continued; null: the files are new. */
  draft: SentDraft | null
  onCancel: () => void
}

/** Asks whose the files are and what they are; sends them as soon as they are chosen, and hands them in. */
export function SendingForm({ sending, patient, draft, onCancel }: SendingFormProps) {
  const start: SentInput = {
    patientId: patient?.id ?? null,
    title: draft?.title ?? '',
    categorySlug: draft?.categorySlug ?? null,
    examinedOn: draft?.examinedOn ?? null,
    note: draft?.note ?? '',
  }
  return (
    <Form
      id={useId()}
      start={start}
      failureTitle="Fișierele nu au fost trimise"
      onSubmit={(input) => sending.upload.handIn(input)}
      className="sm:grid-cols-2"
    >
      <SendingFields sending={sending} patient={patient} onCancel={onCancel} />
    </Form>
  )
}

function SendingFields({ sending, patient, onCancel }: Omit<SendingFormProps, 'draft'>) {
  const { upload, files, open, draft, missing, checks } = sending
  const { values, fill } = useForm<SentInput>()
  const { patientId = null } = values
  const site = useSite()
  const findPatients = useFindPatients({ institutionId: sending.institutionId })
  const [rejected, setRejected] = useState<RejectedFile[]>([])
  /** Patients whom a file has proposed, so that the field can name them. */
  const [proposed, setProposed] = useState<readonly Person[]>([])
  const names = files.filter(({ status }) => status !== 'duplicate').map(({ name }) => name)
  const hasFiles = files.length + (open?.earlier.files.length ?? 0) > 0
  const isFixed = open !== null && !canChange(open)
  const details: SentInput = { ...EMPTY, ...values }
  /** What the draft is created with; of one that is continued, what it says. */
  const created = useRef(details)
  const failure = useSavedDetails(sending, details, created)
  useEffect(() => {
    sending.details.current = details
  })
  const begin = () => {
    created.current = details
    void upload.prepare({ ...details, title: details.title || titleOfFiles(names, '') })
  }
  const isNew = draft.status === 'choosing' && draft.failure === undefined && files.length > 0
  useEffect(() => {
    if (isNew) begin()
  })
  const choose = (chosen: File[]) => {
    const checked = checkFiles(chosen, files.length + (open?.earlier.files.length ?? 0), site, 'o trimitere')
    if (checked.accepted.length > 0) upload.choose(checked.accepted)
    setRejected(checked.rejected)
  }
  return (
    <>
      <Field
        type="autocomplete"
        name="patientId"
        label="Pacientul"
        placeholder="Nume sau CNP"
        help="Dacă nu alegeți pacientul, centrul stabilește al cui este."
        loadOptions={findPatients}
        chosen={[...(patient ? [patient] : []), ...proposed].map(({ id, name }) => ({ id, label: name }))}
        emptyText="Niciun pacient al instituției găsit"
        className="col-span-full"
      />
      {failure !== null && (
        <Alert tone="danger" isLive title="Pacientul nu a fost schimbat" className="col-span-full">
          {errorMessage(failure)}
        </Alert>
      )}
      <div className="col-span-full grid min-w-0 gap-4">
        <SentFiles
          sending={sending}
          patientId={patientId}
          onPatient={
            isFixed
              ? undefined
              : (person) => {
                  setProposed([...proposed, person])
                  fill('patientId', person.id)
                }
          }
        />
        {rejected.length > 0 && <RejectedFiles rejected={rejected} />}
        {missing.length > 0 && (
          <Alert tone="info" title="Unele fișiere nu au ajuns până la capăt">
            Alegeți din nou aceleași fișiere: {missing.map(({ name }) => name).join(', ')}.
          </Alert>
        )}
        {draft.status === 'choosing' && draft.failure !== undefined && (
          <Alert
            tone="danger"
            isLive
            title="Trimiterea nu a început"
            actions={
              <Button icon="retry" onPress={begin}>
                Încearcă din nou
              </Button>
            }
          >
            {errorMessage(draft.failure)}
          </Alert>
        )}
        <DropArea
          onFiles={choose}
          title={hasFiles ? 'Trageți aici și alte fișiere' : 'Trageți aici fișierele'}
          help={hasFiles ? undefined : acceptedText(site)}
          accept={ACCEPTED_ENDINGS}
          isCompact={hasFiles}
          isDisabled={isFixed}
        />
      </div>
      {hasFiles && <DetailFields names={names} proposal={checks.proposal} />}
      {(hasFiles || open) && (
        <Actions sending={sending} onCancel={onCancel} isFixed={isFixed} hasFiles={hasFiles} />
      )}
    </>
  )
}

/** Ends the form: what it says of an earlier draft is saved before the draft is closed. */
function Actions({
  sending: { draft, keepDetails },
  onCancel,
  isFixed,
  hasFiles,
}: Pick<SendingFormProps, 'sending' | 'onCancel'> & { isFixed: boolean; hasFiles: boolean }) {
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const close = async () => {
    setPending(true)
    const error = await keepDetails()
    setPending(false)
    setFailure(error)
    if (error === null) onCancel()
  }
  return (
    <>
      {failure !== null && (
        <Alert
          tone="danger"
          isLive
          title="Ce ați scris nu s-a păstrat"
          className="col-span-full"
          actions={<Button onPress={onCancel}>Închideți fără a păstra</Button>}
        >
          {errorMessage(failure)}
        </Alert>
      )}
      <div className="col-span-full flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onPress={() => void close()} isPending={isPending} isDisabled={isFixed}>
          {isOnlyChosen(draft) ? 'Renunță' : 'Închide'}
        </Button>
        <Button
          variant="primary"
          icon="paper-plane"
          type="submit"
          isDisabled={isFixed || !hasFiles || isPending}
        >
          Trimite centrului
        </Button>
      </div>
    </>
  )
}

const EMPTY: SentInput = { patientId: null, title: '', categorySlug: null, examinedOn: null, note: '' }

/** How long nothing is typed before the draft has what was typed. */
const KEEP_DELAY_MS = 800

/**
 * Saves in the draft what the form says of it: the patient at once, with whom its files are compared, and what is typed after
 * a pause. Returns why the patient could not be saved; null: it could. Handing in saves everything again, and says why it could not.
 */
function useSavedDetails(
  { open, checks, saveDetails }: Sending,
  details: SentInput,
  created: { readonly current: SentInput },
): unknown {
  const target = open && !open.isHandedIn && canChange(open) ? open.target : null
  const draftId = target?.uploadId ?? null
  const text = JSON.stringify(details)
  const [failure, setFailure] = useState<unknown>(null)
  const saved = useRef<{ draftId: string; details: SentInput } | null>(null)
  const reload = useRef(checks.reload)
  reload.current = checks.reload
  // biome-ignore lint/correctness/useExhaustiveDependencies: the progress of the files is no reason to wait longer
  useEffect(() => {
    if (target === null) return
    if (saved.current?.draftId !== target.uploadId)
      saved.current = { draftId: target.uploadId, details: created.current }
    const before = saved.current.details
    if (JSON.stringify(before) === text) return
    const isOtherPatient = before.patientId !== details.patientId
    const save = async () => {
      saved.current = { draftId: target.uploadId, details }
      const result = await saveDetails(target.uploadId, { ...details, title: details.title || target.title })
      if (result.kind === 'saved') setFailure(null)
      else if (isOtherPatient) setFailure(result.error)
      if (isOtherPatient) reload.current()
    }
    if (isOtherPatient) return void save()
    const timer = setTimeout(() => void save(), KEEP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [draftId, text])
  return failure
}

/** What the files are; title, category and date are proposed by them. */
function DetailFields({
  names,
  proposal,
}: {
  names: readonly string[]
  proposal: Sending['checks']['proposal']
}) {
  const { values } = useForm<SentInput>()
  const categories = useCategoryOptions()
  const category = categories.find(({ id }) => id === values.categorySlug)
  useProposal<SentInput>('categorySlug', proposal?.categorySlug ?? '')
  useProposal<SentInput>('examinedOn', proposal?.examinedOn ?? '')
  useProposal<SentInput>(
    'title',
    proposeTitle({ fileNames: names, patientName: '', categoryName: category?.label ?? null }) ??
      proposal?.title ??
      '',
  )
  return (
    <>
      <Field type="text" name="title" label="Titlu" validation="required:trim" maxLength={LIMITS.shortText} />
      <Field
        type="autocomplete"
        name="categorySlug"
        label="Categorie"
        placeholder="Scrieți sau alegeți"
        options={categories.map(withPath)}
        emptyText="Nicio categorie găsită"
      />
      <Field type="datepicker" name="examinedOn" label="Data examinării" />
      <Field
        type="textarea"
        name="note"
        label="Mesaj pentru centru"
        rows={2}
        maxLength={LIMITS.longText}
        className="col-span-full"
      />
    </>
  )
}
