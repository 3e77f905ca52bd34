import { useEffect, useRef, useState } from 'react'
import { counted } from '../../../shared/romania/romanian.ts'
import { client } from '../../api/client.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { Icon } from '../../ui/base/icon.tsx'
import { lazyOnIdle } from '../../ui/base/lazy.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { DownloadLink } from '../preview/download-link.tsx'
import { FilesPanel } from '../preview/files-panel.tsx'
import { preloadFile } from '../preview/preload-file.ts'
import { archiveAddress, type PreviewControls } from '../preview/preview-controls.ts'
import { useNow } from '../uploads/use-now.ts'
import { KeysDialog } from './dialogs/keys-dialog.tsx'
import { MismatchAlert } from './mismatch.tsx'
import { ReleaseNotice } from './release-notice.tsx'
import { RemovedFiles } from './removed-files.tsx'
import { ReviewHistory } from './review-history.tsx'
import type { ReviewCommand } from './review-keys.ts'
import { listReviewRequirements } from './review-requirements.ts'
import { UPLOAD, type Upload } from './upload.queries.ts'
import { PatientCard, UploadDetailsCard } from './upload-details.tsx'
import { UploadHeading } from './upload-heading.tsx'
import { UploadNotice, WithdrawButton } from './upload-notice.tsx'
import { useReviewKeys } from './use-review-keys.ts'
import { useVerdict } from './use-verdict.ts'
import { ChangedAlert, ClosedAlert, VerdictBar } from './verdict-bar.tsx'
import { clearVerdict, showVerdict } from './verdict-toast.ts'

const EditUploadDialog = lazyOnIdle(() => import('./dialogs/edit-upload-dialog.tsx'), 'EditUploadDialog')
const MismatchDialog = lazyOnIdle(() => import('./dialogs/mismatch-dialog.tsx'), 'MismatchDialog')
const RemoveFileDialog = lazyOnIdle(() => import('./dialogs/remove-file-dialog.tsx'), 'RemoveFileDialog')
const RejectDialog = lazyOnIdle(() => import('./dialogs/reject-dialog.tsx'), 'RejectDialog')

type Opened = 'reject' | 'mismatch' | 'edit' | 'keys' | 'remove-file'

/** The document, the data and the verdict of one upload. Must be mounted again for each upload. */
export function UploadReview({ upload, onReload }: { upload: Upload; onReload: () => Promise<unknown> }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const open = (dialog: Opened) => {
    clearVerdict()
    setOpened(dialog)
  }
  const verdict = useVerdict(upload, onReload)
  const { files, selected, seen, select, step, onShown } = useFileNavigation(upload)
  const controls = useRef<PreviewControls>(null)
  const canDecide = upload.can.decide || verdict.isDeciding
  const isAccepted = upload.firstAcceptance?.isOwn === true && !verdict.isDeciding
  const policy = listReviewRequirements(upload, useNow())
  /** Whether the user tried to accept before the document had been shown long enough. */
  const [isTooEarly, setTooEarly] = useState(false)
  const [isFirstShown, setFirstShown] = useState(files.length === 0)

  usePreloadNext(canDecide && isFirstShown ? upload.nextInReview : null)

  const accept = () => {
    if (!canDecide || files.length === 0) return
    const guard = verdict.guard()
    setTooEarly(guard === 'loading' || guard === 'too-early')
    if (guard !== 'open') return
    if (isAccepted) {
      showVerdict({ tone: 'info', title: 'Ai acceptat-o deja', description: policy[0] })
    } else if (upload.mismatches.length > 0) open('mismatch')
    else void verdict.accept(null)
  }
  const next = () => {
    if (upload.nextInReview) void verdict.goToNext()
    else showToast({ tone: 'info', title: 'Nu mai așteaptă nicio altă încărcare' })
  }
  const commands: Record<ReviewCommand, () => unknown> = {
    accept,
    reject: () => canDecide && !verdict.isChanged && !verdict.isDeciding && open('reject'),
    next: () => (canDecide || verdict.isClosed) && !verdict.isDeciding && next(),
    edit: () => upload.can.edit && !verdict.isDeciding && open('edit'),
    help: () => open('keys'),
    'next-file': () => step(1),
    'previous-file': () => step(-1),
    'next-page': () => controls.current?.turnPage(1),
    'previous-page': () => controls.current?.turnPage(-1),
    'first-page': () => controls.current?.turnPage('first'),
    'last-page': () => controls.current?.turnPage('last'),
    'scroll-down': () => controls.current?.scroll(1, 'line'),
    'scroll-up': () => controls.current?.scroll(-1, 'line'),
    'screen-down': () => controls.current?.scroll(1, 'screen'),
    'screen-up': () => controls.current?.scroll(-1, 'screen'),
    'zoom-in': () => controls.current?.zoom('in'),
    'zoom-out': () => controls.current?.zoom('out'),
    'zoom-fit': () => controls.current?.zoom('fit'),
  }
  useReviewKeys((command) => {
    if (opened === null) commands[command]()
  })

  return (
    <div className="grid gap-4 xl:h-[calc(100dvh-3.5rem)] xl:min-h-144 xl:grid-cols-[minmax(0,1fr)_24rem] xl:grid-rows-[minmax(0,auto)_minmax(14rem,1fr)] xl:gap-x-5">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 xl:-m-1 xl:col-start-2 xl:relative xl:min-h-0 xl:overflow-y-auto xl:p-1">
        <UploadHeading upload={upload} onHelp={() => open('keys')} />
        {canDecide && (
          <VerdictBar
            isSettled={verdict.isSettled}
            isDeciding={verdict.isDeciding}
            isChanged={verdict.isChanged}
            isAccepted={isAccepted}
            isEmpty={files.length === 0}
            hasNext={upload.nextInReview !== null}
            onAccept={accept}
            onReject={commands.reject}
            onNext={next}
          />
        )}
        {isTooEarly && canDecide && (
          <p role="status" className="flex gap-2 text-sm">
            <Icon name="info" size={18} className="mt-px text-muted" />
            {isFirstShown
              ? 'Documentul abia a apărut: uită-te la el, apoi apasă din nou A.'
              : 'Documentul încă se încarcă: apasă din nou A după ce apare.'}
          </p>
        )}
        {canDecide && policy.length > 0 && (
          <p role="status" className="flex gap-2 text-sm">
            <Icon name="info" size={18} className="mt-px text-muted" />
            {policy.join(' ')}
          </p>
        )}
        {upload.state === 'accepted' && (
          <ReleaseNotice upload={upload} changeOwn={verdict.changeOwn} onReload={onReload} />
        )}
        {canDecide && seen.size < files.length && files.length > 1 && (
          <p className="text-sm text-muted">
            Ai văzut {seen.size} din {counted(files.length, 'fișier', 'fișiere')}.
          </p>
        )}
        {verdict.isChanged && (
          <ChangedAlert first={upload.firstAcceptance} onSeen={() => verdict.acknowledge()} />
        )}
        {verdict.isClosed && <ClosedAlert upload={upload} onNext={next} />}
        {upload.mismatches.length > 0 && <MismatchAlert mismatches={upload.mismatches} onShow={select} />}
        <UploadNotice
          upload={upload}
          onEdit={() => open('edit')}
          changeOwn={verdict.changeOwn}
          onReload={onReload}
        />
        <PatientCard upload={upload} onAssign={() => open('edit')} />
      </div>

      <div className="min-w-0 xl:col-start-1 xl:row-span-2 xl:row-start-1 xl:min-h-0">
        {selected ? (
          <FilesPanel
            files={files}
            selected={selected}
            onSelect={select}
            seen={canDecide ? seen : undefined}
            controls={controls}
            onShown={() => {
              onShown()
              verdict.onShown()
              setFirstShown(true)
            }}
            actions={
              <>
                {files.length > 1 && files.every(({ scanResult }) => scanResult === 'clean') && (
                  <DownloadLink href={archiveAddress(upload.id)} variant="quiet" icon="zip">
                    <span className="max-sm:sr-only">Descarcă tot</span>
                  </DownloadLink>
                )}
                {upload.can.removeFiles && (
                  <IconButton
                    icon="trash"
                    label={`Elimină ${selected.name}`}
                    onPress={() => open('remove-file')}
                  />
                )}
              </>
            }
            className="h-[80dvh] xl:h-full"
          />
        ) : (
          <NoFiles state={upload.state} />
        )}
      </div>

      <div className="grid min-w-0 content-start gap-4 max-xl:pb-16 xl:col-start-2 xl:relative xl:min-h-0 xl:overflow-y-auto">
        <UploadDetailsCard upload={upload} onEdit={() => open('edit')} />
        <RemovedFiles files={upload.removedFiles} onRestored={verdict.acknowledge} />
        {upload.reviews.length > 0 && (
          <Card title="Verdicte">
            <ReviewHistory reviews={upload.reviews} />
          </Card>
        )}
        {upload.can.withdraw && (
          <WithdrawButton upload={upload} changeOwn={verdict.changeOwn} onReload={onReload} />
        )}
      </div>

      {opened === 'reject' && (
        <RejectDialog
          upload={upload}
          onClose={() => setOpened(null)}
          onReject={async (reason, comment) => {
            if (await verdict.reject(reason, comment)) setOpened(null)
          }}
        />
      )}
      {opened === 'mismatch' && (
        <MismatchDialog
          upload={upload}
          onClose={() => setOpened(null)}
          onAccept={async (reason) => {
            if (await verdict.accept(reason)) setOpened(null)
          }}
        />
      )}
      {opened === 'edit' && (
        <EditUploadDialog upload={upload} onSaved={verdict.acknowledge} onClose={() => setOpened(null)} />
      )}
      {opened === 'remove-file' && selected && (
        <RemoveFileDialog
          file={selected}
          upload={upload}
          onRemoved={verdict.acknowledge}
          onClose={() => setOpened(null)}
        />
      )}
      <KeysDialog isOpen={opened === 'keys'} onClose={() => setOpened(null)} />
    </div>
  )
}

function NoFiles({ state }: { state: Upload['state'] }) {
  return (
    <EmptyState
      icon="file"
      title={state === 'receiving' ? 'Fișierele nu au ajuns încă' : 'Niciun fișier'}
      className="rounded-lg border border-line"
    >
      {state === 'receiving' ? 'Apar aici după ce se încarcă și trec controlul automat.' : null}
    </EmptyState>
  )
}

/** Returns the selected file and the ids of the files that have been shown. */
function useFileNavigation({ files }: Upload) {
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const selected = files.find(({ id }) => id === selectedId) ?? files[0]
  return {
    files,
    selected,
    seen,
    select: setSelectedId,
    step: (by: 1 | -1) => {
      const next = files[files.findIndex(({ id }) => id === selected?.id) + by]
      if (next) setSelectedId(next.id)
    },
    onShown: () => {
      if (selected) setSeen((ids) => new Set([...ids, selected.id]))
    },
  }
}

/** Preloads the next upload and its first file while this upload is being reviewed. */
function usePreloadNext(id: string | null): void {
  useEffect(() => {
    if (id === null) return
    client
      .query({ query: UPLOAD, variables: { id }, fetchPolicy: 'network-only' })
      .then(({ data }) => {
        const [first] = data?.upload.files ?? []
        if (first) return preloadFile(first)
      })
      // Only a preload: an error is shown when the upload is opened.
      .catch(() => undefined)
  }, [id])
}
