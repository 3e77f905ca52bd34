import { useState } from 'react'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { REJECTION_REASON_NAMES, type RejectionReason } from '../../../shared/uploads/upload-states.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button, LinkButton } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { useNamedRow } from '../../ui/hooks/use-named-row.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { describeRejection } from '../preview/file-status.ts'
import { withdrawSentUpload } from './send-server.ts'
import { SentStatePill, WITHDRAWABLE } from './sent-states.tsx'
import type { SentUpload } from './sent-uploads.queries.ts'

export interface SentListProps {
  /** null while the first page loads. */
  uploads: readonly SentUpload[] | null
  /** The one that the address names. */
  namedId: string | null
  more: { hasMore: boolean; isLoading: boolean; onLoadMore: () => void }
  /** Called after one was withdrawn. */
  onChanged: () => void
  /** Whether another sending is under way, before whose end none begins. */
  isBusy: boolean
  /** Begins a new sending for the patient of a rejected one, in the name of the same institution. */
  onAgain: (upload: SentUpload) => void
}

/** What the institution's users have sent, newest first, each with what became of it. */
export function SentList({ uploads, namedId, more, ...row }: SentListProps) {
  if (uploads === null)
    return (
      <div role="status" aria-label="Se încarcă" className="grid gap-2">
        <Skeleton className="h-16 rounded-lg" />
        <Skeleton className="h-16 rounded-lg" />
      </div>
    )
  return (
    <div className="grid gap-4">
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {uploads.map((upload) => (
          <SentRow key={upload.id} upload={upload} isNamed={upload.id === namedId} {...row} />
        ))}
      </ul>
      {more.hasMore && (
        <Button className="justify-self-center" onPress={more.onLoadMore} isPending={more.isLoading}>
          Încarcă mai multe
        </Button>
      )}
    </div>
  )
}

function SentRow({
  upload,
  isNamed,
  isBusy,
  onChanged,
  onAgain,
}: { upload: SentUpload; isNamed: boolean } & Omit<SentListProps, 'uploads' | 'namedId' | 'more'>) {
  const row = useNamedRow<HTMLLIElement>(isNamed)
  const { id, number, title, state, patient, senderName, isOwn, isResult, fileCount, createdAt } = upload
  const [isAsked, setAsked] = useState(false)
  const name = title ?? `Trimiterea nr. ${number}`
  const details = [
    patient?.name ?? (title === null ? null : 'fără pacient'),
    counted(fileCount, 'fișier', 'fișiere'),
    formatDateTime(createdAt),
    isOwn ? 'de dumneavoastră' : senderName && `de ${senderName}`,
  ]
  const isFailed = state === 'rejected' || state === 'quarantined'
  return (
    <li
      {...row}
      data-sent={id}
      className={classNames('grid gap-2 px-4 py-3 sm:px-5', isNamed && 'bg-accent-soft')}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="font-medium break-words">{name}</p>
          <p className="text-sm break-words text-muted">{details.filter(Boolean).join(' · ')}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <SentStatePill state={state} />
          {isResult && (
            <LinkButton
              to="/institution"
              search={{ tab: 'trimite', upload: id }}
              resetScroll={false}
              aria-label={`Deschide: ${name}`}
            >
              Deschide
            </LinkButton>
          )}
          {isOwn && isFailed && (
            <Button
              icon="retry"
              aria-label={`Trimite din nou: ${name}`}
              isDisabled={isBusy}
              onPress={() => onAgain(upload)}
            >
              Trimite din nou
            </Button>
          )}
          {isOwn && WITHDRAWABLE.has(state) && (
            <Button variant="quiet" aria-label={`Retrage: ${name}`} onPress={() => setAsked(true)}>
              Retrage
            </Button>
          )}
        </div>
      </div>
      <Reasons upload={upload} />
      <WithdrawDialog
        id={id}
        name={name}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onWithdrawn={onChanged}
      />
    </li>
  )
}

/** Why it was rejected, or stopped at the check. */
function Reasons({ upload: { rejectionCode, rejectionComment, refusedFiles } }: { upload: SentUpload }) {
  const reason = rejectionCode && REJECTION_REASON_NAMES[rejectionCode as RejectionReason]
  const sentence = [reason, rejectionComment].filter(Boolean).join(': ')
  if (sentence === '' && refusedFiles.length === 0) return null
  return (
    <div className="grid gap-1 text-sm text-danger">
      {sentence !== '' && <p className="break-words">{sentence}</p>}
      {refusedFiles.map(({ name, facts }) => (
        <p key={name} className="break-words">
          {name}: {describeRejection({ name, facts, scanResult: 'refused' })}
        </p>
      ))}
    </div>
  )
}

function WithdrawDialog({
  id,
  name,
  isOpen,
  onClose,
  onWithdrawn,
}: {
  id: string
  name: string
  isOpen: boolean
  onClose: () => void
  onWithdrawn: () => void
}) {
  const [isPending, setPending] = useState(false)
  const withdraw = async () => {
    setPending(true)
    try {
      await withdrawSentUpload(id)
      showToast({ tone: 'success', title: 'Retras', description: name })
    } catch (error) {
      showToast({ tone: 'error', title: 'Nu a fost retras', description: errorMessage(error) })
    }
    setPending(false)
    onClose()
    onWithdrawn()
  }
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isOpen={isOpen}
      onOpenChange={onClose}
      title="Retrageți ce ați trimis?"
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            Renunță
          </Button>
          <Button variant="danger" isPending={isPending} onPress={() => void withdraw()}>
            Retrage
          </Button>
        </>
      }
    >
      <p className="break-words text-muted">
        „{name}” nu mai este verificat de centru și nu ajunge între rezultate. Îl puteți trimite din nou.
      </p>
    </Dialog>
  )
}
