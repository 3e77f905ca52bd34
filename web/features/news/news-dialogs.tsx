import { useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { LIMITS } from '../../../shared/limits.ts'
import {
  isWider,
  NEWS_KIND_NAMES,
  NEWS_VISIBILITY_NAMES,
  type NewsKind,
  type NewsVisibility,
} from '../../../shared/news/news.ts'
import { dayAfter, todayInRomania } from '../../../shared/romania/day.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Field } from '../../forms/core/field.ts'
import { useForm } from '../../forms/core/form.tsx'
import { nameOptions } from '../../forms/inputs/dropdown/name-options.ts'
import { FormDialog } from '../../forms/saved-form/form-sheet.tsx'
import { Button } from '../../ui/base/button.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { FailureNotice } from '../../ui/feedback/notice.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { useAsyncAction } from '../own-account/use-async-action.ts'
import {
  CREATE_NEWS,
  EDIT_NEWS,
  NEWS_HISTORY,
  type NewsEntry,
  PIN_NEWS,
  REMOVE_NEWS,
  REMOVED_NEWS,
} from './news.queries.ts'
import { NewsKindPill } from './news-list.tsx'

/** The patient with the referrals, by which institutions read. */
export type NewsPatient = {
  id: string
  name: string
  referrals: readonly { institutionId: string; institutionName: string; endedOn: string | null }[]
}

export interface NewsDialogProps {
  patient: NewsPatient
  entry: NewsEntry
  /** Loads the patient again, as after a refusal because of a new referral. */
  onReload: () => Promise<unknown>
  /** Loads the news again. */
  onChanged: () => Promise<unknown>
  onClose: () => void
}

type Values = { kind: NewsKind; text: string; visibility: NewsVisibility; pinnedUntil?: string | null }

const EMPTY: Values = { kind: 'note', text: '', visibility: 'staff', pinnedUntil: null }

const institutionsOf = ({ referrals }: NewsPatient) => [
  ...new Map(
    referrals
      .filter(({ endedOn }) => endedOn === null)
      .map(({ institutionId, institutionName }) => [institutionId, institutionName]),
  ),
]

/** Returns the ids of the institutions that read a text which only staff have read before. */
const idsOf = (patient: NewsPatient): string[] => institutionsOf(patient).map(([id]) => id)

/** Writes news about a patient. Mounted while it is open. */
export function CreateNewsDialog({ patient, onReload, onChanged, onClose }: Omit<NewsDialogProps, 'entry'>) {
  const [createNews] = useMutation(CREATE_NEWS)
  return (
    <FormDialog
      title="Scrie despre pacient"
      saveLabel="Salvează"
      stored={EMPTY}
      onSave={async ({ kind, text, visibility, pinnedUntil = null }) => {
        await createNews({
          variables: {
            patientId: patient.id,
            news: { kind, text, visibility },
            pinnedUntil,
            shownTo: idsOf(patient),
          },
        }).catch((error) => reloadAndThrow(onReload, error))
        await onChanged()
        onClose()
      }}
      onClose={onClose}
    >
      <TextFields patient={patient} from="staff" />
      <PinField />
    </FormDialog>
  )
}

/** Changes what an entry says and who reads it. Mounted while it is open. */
export function EditNewsDialog({ patient, entry: shown, onReload, onChanged, onClose }: NewsDialogProps) {
  const [editNews] = useMutation(EDIT_NEWS)
  // A change by somebody else meanwhile is refused by the version that was shown here.
  const [{ id, version, kind, text, visibility }] = useState(shown)
  const stored: Values = { kind, text, visibility }
  return (
    <FormDialog
      title="Modifică"
      saveLabel="Salvează"
      stored={stored}
      onSave={async (values) => {
        await editNews({
          variables: {
            id,
            version,
            news: { kind: values.kind, text: values.text, visibility: values.visibility },
            shownTo: idsOf(patient),
          },
        }).catch((error) => reloadAndThrow(onReload, error))
        await onChanged()
        onClose()
      }}
      onClose={onClose}
    >
      <TextFields patient={patient} from={visibility} />
    </FormDialog>
  )
}

/** The refusal may be because of a referral that the page does not know. */
async function reloadAndThrow(reload: () => Promise<unknown>, error: unknown): Promise<never> {
  await reload()
  throw error
}

function TextFields({ patient, from }: { patient: NewsPatient; from: NewsVisibility }) {
  return (
    <>
      <Field
        type="dropdown"
        name="kind"
        label="Tip"
        options={nameOptions(NEWS_KIND_NAMES)}
        validation="required"
      />
      <Field
        type="dropdown"
        name="visibility"
        label="Cine citește"
        options={nameOptions(NEWS_VISIBILITY_NAMES)}
        validation="required"
      />
      <Field
        type="textarea"
        name="text"
        label="Text"
        rows={5}
        maxLength={LIMITS.newsText}
        validation="required"
      />
      <NewReaders patient={patient} from={from} />
    </>
  )
}

/** Names who would read the text that did not before, and asks the author to confirm it; other readers ask again. */
function NewReaders({ patient, from }: { patient: NewsPatient; from: NewsVisibility }) {
  const { values } = useForm<Values>()
  const to = values.visibility ?? from
  if (!isWider(from, to)) return null
  const institutions = from === 'staff' ? institutionsOf(patient) : []
  const names = [
    ...institutions.map(([, name]) => name),
    ...(to === 'patient' ? [`pacientul, ${patient.name}`] : []),
  ]
  return (
    <div className="grid gap-3">
      <Alert tone="warning" title="Vor citi mai mulți decât până acum">
        {names.length > 0 && (
          <ul className="list-disc pl-5">
            {names.map((name) => (
              <li key={name} className="break-words">
                {name}
              </li>
            ))}
          </ul>
        )}
        <p>Și instituțiile care vor avea mai târziu o trimitere a pacientului.</p>
      </Alert>
      <Field
        key={names.join()}
        type="checkbox"
        name={`confirmed ${to} ${institutions.map(([id]) => id).join(' ')}`}
        label="Confirm că pot citi"
        validation="accepted"
        validationMessages={{ accepted: 'Bifează dacă toți aceștia pot citi.' }}
      />
    </div>
  )
}

const PinField = () => (
  <Field
    type="datepicker"
    name="pinnedUntil"
    label="Fixată până la"
    help="Până la sfârșitul acestei zile stă înaintea celorlalte de același fel."
    min={todayInRomania()}
    max={dayAfter(todayInRomania(), LIMITS.pinnedDays)}
  />
)

/** Pins an entry, or ends that. Mounted while it is open. */
export function PinNewsDialog({ entry: shown, onChanged, onClose }: NewsDialogProps) {
  const [pinNews] = useMutation(PIN_NEWS)
  const [{ id, version, isPinned, pinnedUntil }] = useState(shown)
  return (
    <FormDialog
      title="Fixează"
      saveLabel="Salvează"
      size="sm"
      stored={{ pinnedUntil: isPinned ? pinnedUntil : null }}
      onSave={async (values) => {
        await pinNews({ variables: { id, version, until: values.pinnedUntil ?? null } })
        await onChanged()
        onClose()
      }}
      onClose={onClose}
    >
      <PinField />
    </FormDialog>
  )
}

/** Asks before an entry is removed. Mounted while it is open. */
export function RemoveNewsDialog({ entry: shown, onChanged, onClose }: NewsDialogProps) {
  const [removeNews] = useMutation(REMOVE_NEWS)
  const [{ id, version, visibility }] = useState(shown)
  const attempt = useAsyncAction()
  const remove = () =>
    attempt.run(async () => {
      await removeNews({ variables: { id, version } })
      await onChanged()
      showToast({ tone: 'success', title: 'S-a șters' })
      onClose()
    })
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isOpen
      onOpenChange={onClose}
      title="Se șterge?"
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            Renunță
          </Button>
          <Button variant="danger" isPending={attempt.isPending} onPress={() => void remove()}>
            Șterge
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNotice>{attempt.message}</FailureNotice>
        <p className="text-muted">
          {visibility === 'staff' ? '' : 'În afara organizației nu o mai citește nimeni. '}
          Personalul o mai găsește {LIMITS.binDays} de zile la „Arată cele șterse”.
        </p>
      </div>
    </Dialog>
  )
}

/** What an entry said before, and who has read it. Mounted while it is open. */
export function NewsHistoryDialog({ patient, entry, onClose }: NewsDialogProps) {
  const { data, error, refetch } = useQuery(NEWS_HISTORY, {
    variables: { patientId: patient.id },
    fetchPolicy: 'network-only',
  })
  const history = data?.patientNews.find(({ id }) => id === entry.id)
  return (
    <Dialog
      title="Versiuni și cititori"
      isOpen
      onOpenChange={onClose}
      actions={<CloseButton onClose={onClose} />}
    >
      {history ? (
        <div className="grid gap-5">
          <section className="grid gap-3">
            <h3 className="font-medium">Versiuni anterioare</h3>
            {history.former.length === 0 && (
              <p className="text-sm text-muted">
                Niciuna: este textul scris la {formatDateTime(history.createdAt)}
                {history.authorName && ` de ${history.authorName}`}.
              </p>
            )}
            {history.former.map(({ revision, kind, text, visibility, writerName, writtenAt }) => (
              <div key={revision} className="grid gap-1 rounded-lg border border-line px-3.5 py-2.5">
                <div>
                  <NewsKindPill kind={kind} />
                </div>
                <p className="break-words whitespace-pre-wrap">{text}</p>
                <p className="text-sm break-words text-muted">
                  {formatDateTime(writtenAt)} · {writerName} · {NEWS_VISIBILITY_NAMES[visibility]}
                </p>
              </div>
            ))}
          </section>
          <section className="grid gap-2">
            <h3 className="font-medium">Cine a citit</h3>
            {history.readings.length === 0 && <p className="text-sm text-muted">Nimeni încă.</p>}
            <ul className="grid gap-1 text-sm">
              {history.readings.map(({ name, readAt, isCurrent }) => (
                <li key={`${name} ${readAt}`} className="break-words">
                  {name}, {formatDateTime(readAt)}
                  {!isCurrent && <span className="text-muted"> · o versiune anterioară</span>}
                </li>
              ))}
            </ul>
          </section>
        </div>
      ) : error ? (
        <ErrorState onRetry={() => void refetch().catch(() => undefined)}>{errorMessage(error)}</ErrorState>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Dialog>
  )
}

/** What was removed and can still be read. Mounted while it is open. */
export function RemovedNewsDialog({ patientId, onClose }: { patientId: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(REMOVED_NEWS, {
    variables: { patientId, removed: true },
    fetchPolicy: 'network-only',
  })
  return (
    <Dialog
      title="Șterse de curând"
      isOpen
      onOpenChange={onClose}
      actions={<CloseButton onClose={onClose} />}
    >
      {data ? (
        <div className="grid gap-3">
          <p className="text-sm text-muted">
            Le citește doar personalul, {LIMITS.binDays} de zile de la ștergere.
          </p>
          {data.patientNews.map(({ id, kind, text, removedAt, removedByName }) => (
            <div key={id} className="grid gap-1 rounded-lg border border-line px-3.5 py-2.5">
              <div>
                <NewsKindPill kind={kind} />
              </div>
              <p className="break-words whitespace-pre-wrap">{text}</p>
              <p className="text-sm break-words text-muted">
                Ștearsă la {removedAt && formatDateTime(removedAt)}
                {removedByName && ` de ${removedByName}`}
              </p>
            </div>
          ))}
          {data.patientNews.length === 0 && <p>Nimic șters de curând.</p>}
        </div>
      ) : error ? (
        <ErrorState onRetry={() => void refetch().catch(() => undefined)}>{errorMessage(error)}</ErrorState>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Dialog>
  )
}

const CloseButton = ({ onClose }: { onClose: () => void }) => <Button onPress={onClose}>Închide</Button>
