import { useQuery } from '@apollo/client/react'
import { useRef, useState } from 'react'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { ProgressBar } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useKeptFocus } from '../../ui/hooks/use-kept-focus.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { isOnlyChosen, type OpenDraft } from '../new-upload/engine/draft.ts'
import { sumProgress } from '../new-upload/engine/new-upload-file.ts'
import { UploadLeaveGuard } from '../new-upload/upload-leave-guard.tsx'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { withdrawSentUpload } from './send-server.ts'
import { SendingForm } from './sending-form.tsx'
import { SentFiles } from './sent-files.tsx'
import { SentList } from './sent-list.tsx'
import { SENT_DRAFTS, SENT_UPLOADS, type SendingInstitution, type SentDraft } from './sent-uploads.queries.ts'
import { type Sending, useSending } from './use-sending.ts'

/** Where users of an institution send files to the organisation and follow what became of them. */
export function SentTab({
  institutions,
  namedId,
}: {
  institutions: readonly SendingInstitution[]
  /** Of what was sent, the one that the address names. */
  namedId: string | null
}) {
  const part = useRef<HTMLDivElement>(null)
  useKeptFocus(part)
  const [institutionId, setInstitutionId] = useState(institutions[0]!.id)
  const { page, reload, more, region } = useListQuery(SENT_UPLOADS, (data) => data.sentUploads, {
    variables: {},
  })
  const drafts = useQuery(SENT_DRAFTS, { fetchPolicy: 'network-only', nextFetchPolicy: 'cache-first' })
  const reloadAll = () => {
    reload()
    void drafts.refetch().catch(() => undefined)
  }
  const sending = useSending(institutionId, () => {
    begin(null, null)
    reloadAll()
  })
  useLiveUploads(reload)
  /** The form begins anew with each of these. */
  const [begun, setBegun] = useState<{
    serial: number
    draft: SentDraft | null
    patient: SentDraft['patient']
  }>({
    serial: 0,
    draft: null,
    patient: null,
  })
  const begin = (draft: SentDraft | null, patient: SentDraft['patient'], institution = institutionId) => {
    setInstitutionId(institution)
    setBegun(({ serial }) => ({ serial: serial + 1, draft, patient }))
  }

  const { upload, open, files } = sending
  const isBusy = open !== null || files.length > 0
  const waiting = (drafts.data?.sentDrafts ?? []).filter(({ id }) => id !== open?.target.uploadId)
  const cancel = async () => {
    if (open && isOnlyChosen(open)) await upload.withdraw()
    else {
      upload.leave()
      begin(null, null)
      reloadAll()
    }
  }
  return (
    <div ref={part} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-6 outline-none">
      {sending.question.dialog}
      <UploadLeaveGuard loss={sending.loss} onLeave={sending.onLeave} />
      <Card
        title={
          open?.isContinued ? `Continuați trimiterea nr. ${open.target.number}` : 'Fișiere pentru centru'
        }
      >
        <div className="grid gap-5">
          {institutions.length > 1 && (
            <InstitutionChoice
              institutions={institutions}
              chosen={institutionId}
              // The patient is one of the institution.
              onChoose={(id) => begin(null, null, id)}
              isDisabled={isBusy}
            />
          )}
          {open?.isHandedIn && <Progress sending={sending} open={open} />}
          {/* What was typed stays, for when the server does not accept it. */}
          <div hidden={open?.isHandedIn}>
            <SendingForm
              key={`${begun.serial} ${open?.isContinued ? open.target.uploadId : ''}`}
              sending={sending}
              patient={begun.patient}
              draft={begun.draft}
              onCancel={() => void cancel()}
            />
          </div>
        </div>
      </Card>
      {waiting.map((draft) => (
        <Unfinished
          key={draft.id}
          draft={draft}
          isBusy={isBusy}
          onContinue={() => {
            if (!upload.resume({ ...draft, title: draft.title ?? '' })) return
            begin(draft, draft.patient, draft.institutionId)
          }}
          onWithdrawn={reloadAll}
        />
      ))}
      <section aria-label="Trimise" className="grid gap-3">
        <h2 className="text-base font-semibold">Trimise</h2>
        <ListRegion {...region}>
          {page?.nodes.length === 0 ? (
            <EmptyState icon="paper-plane" title="Nu ați trimis încă nimic">
              Ce trimiteți este verificat de centru; aici vedeți ce s-a întâmplat cu fiecare.
            </EmptyState>
          ) : (
            <SentList
              namedId={namedId}
              uploads={page?.nodes ?? null}
              more={more}
              onChanged={reload}
              isBusy={isBusy}
              onAgain={({ patient, institutionId: sender }) => {
                begin(null, patient, sender)
                window.scrollTo({ top: 0 })
              }}
            />
          )}
        </ListRegion>
      </section>
    </div>
  )
}

function InstitutionChoice({
  institutions,
  chosen,
  onChoose,
  isDisabled,
}: {
  institutions: readonly SendingInstitution[]
  chosen: string
  onChoose: (id: string) => void
  isDisabled: boolean
}) {
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="mb-2 text-sm font-medium">Trimiteți în numele</legend>
      {institutions.map(({ id, name }) => (
        <Button
          key={id}
          variant={id === chosen ? 'primary' : 'secondary'}
          aria-pressed={id === chosen}
          isDisabled={isDisabled}
          onPress={() => onChoose(id)}
        >
          {name}
        </Button>
      ))}
    </fieldset>
  )
}

/** The files while the last of them arrive, until the upload is submitted. */
function Progress({ sending, open }: { sending: Sending; open: OpenDraft }) {
  const { done, size } = sumProgress(sending.files)
  return (
    <div className="grid gap-4">
      {open.status === 'refused' ? (
        <Alert
          tone="danger"
          isLive
          title="Fișierele nu au fost trimise"
          actions={
            <Button icon="retry" onPress={() => void sending.upload.submit()}>
              Încearcă din nou
            </Button>
          }
        >
          {errorMessage(open.failure)}
        </Alert>
      ) : (
        <ProgressBar label="Se trimit fișierele…" value={size === 0 ? null : (done / size) * 100} />
      )}
      <SentFiles sending={sending} patientId={null} onPatient={undefined} />
      <div className="flex justify-end">
        <Button isDisabled={open.status === 'submitting'} onPress={() => void sending.upload.withdraw()}>
          Anulează trimiterea
        </Button>
      </div>
    </div>
  )
}

/** A draft that was begun and not handed in. */
function Unfinished({
  draft: { id, title, patient, createdAt, files, transfers },
  isBusy,
  onContinue,
  onWithdrawn,
}: {
  draft: SentDraft
  isBusy: boolean
  onContinue: () => void
  onWithdrawn: () => void
}) {
  const [isPending, setPending] = useState(false)
  const withdraw = async () => {
    setPending(true)
    await withdrawSentUpload(id).catch((error: unknown) =>
      showToast({ tone: 'error', title: 'Trimiterea nu a fost anulată', description: errorMessage(error) }),
    )
    setPending(false)
    onWithdrawn()
  }
  return (
    <Alert
      tone="info"
      title={`Trimitere neterminată: ${title}`}
      actions={
        <>
          <Button icon="play" isDisabled={isBusy || isPending} onPress={onContinue}>
            Continuă
          </Button>
          <Button variant="quiet" isDisabled={isBusy} isPending={isPending} onPress={() => void withdraw()}>
            Anulează
          </Button>
        </>
      }
    >
      {[
        patient?.name ?? 'fără pacient',
        `începută ${formatDateTime(createdAt)}`,
        `${counted(files.length, 'fișier ajuns', 'fișiere ajunse')}`,
        ...(transfers.length > 0 ? ['altele trebuie alese din nou'] : []),
      ].join(' · ')}
    </Alert>
  )
}
