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
import { type SentInput, saveSentDetails } from './send-server.ts'
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
  /** With whom the draft is created; of one that is continued, its patient. */
  const createdFor = useRef(patient?.id ?? null)
  const failure = usePatientOfDraft(sending, values, createdFor)
  useEffect(() => {
    sending.details.current = { ...EMPTY, ...values, patientId }
  })
  useKeptDetails(sending, values)
  const begin = () => {
    createdFor.current = patientId
    void upload.prepare({ ...EMPTY, ...values, patientId, title: values.title || titleOfFiles(names, '') })
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

/** Gives the draft the patient who is chosen, with whom its files are compared. Returns why it could not; null: it could. */
function usePatientOfDraft(
  { open, checks }: Sending,
  values: Partial<SentInput>,
  createdFor: { readonly current: string | null },
): unknown {
  const draftId = open?.target.uploadId ?? null
  const { patientId = null } = values
  const [failure, setFailure] = useState<unknown>(null)
  const saved = useRef<{ draftId: string | null; patientId: string | null }>({
    draftId: null,
    patientId: null,
  })
  /** One save after the other: the last one is that of the patient in the form. */
  const saving = useRef(Promise.resolve())
  const reload = useRef(checks.reload)
  reload.current = checks.reload
  useEffect(() => {
    if (draftId === null) return
    if (saved.current.draftId !== draftId) saved.current = { draftId, patientId: createdFor.current }
    if (saved.current.patientId === patientId) return
    saved.current = { draftId, patientId }
    const title = values.title || open!.target.title
    const input = { ...EMPTY, ...values, patientId, title }
    saving.current = saving.current.then(async () => {
      const result = await saveSentDetails(draftId, input)
      setFailure(result.kind === 'saved' ? null : result.error)
      reload.current()
    })
  })
  return failure
}

/** How long nothing is typed before the draft has what was typed. */
const KEEP_DELAY_MS = 800

/**
 * Saves in the draft what is typed about it, so that it is there after a reload. A failure is not shown: handing in saves
 * everything again, and says why it could not.
 */
function useKeptDetails({ open }: Sending, values: Partial<SentInput>): void {
  const target = open && !open.isHandedIn && canChange(open) ? open.target : null
  const details = JSON.stringify({ ...EMPTY, ...values })
  const kept = useRef(details)
  const draftId = target?.uploadId ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the progress of the files is no reason to wait longer
  useEffect(() => {
    if (target === null || kept.current === details) return
    const timer = setTimeout(() => {
      kept.current = details
      const input: SentInput = JSON.parse(details)
      void saveSentDetails(target.uploadId, { ...input, title: input.title || target.title })
    }, KEEP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [draftId, details])
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
