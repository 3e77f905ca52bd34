import { useQuery } from '@apollo/client/react'
import { useEffect, useState } from 'react'
import { formatDate, formatDateTime } from '../../../shared/romania/romanian.ts'
import { client } from '../../api/client.ts'
import { errorCode, errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EmptyState, ErrorState } from '../../ui/page/empty-state.tsx'
import { DownloadLink } from '../preview/download-link.tsx'
import { FilesPanel } from '../preview/files-panel.tsx'
import { archiveAddress, downloadAddress } from '../preview/preview-controls.ts'
import { ResultQuestions } from '../questions/result-questions.tsx'
import { describeBirth } from '../uploads/describe-birth.ts'
import { useLiveUploads } from '../uploads/use-live-uploads.ts'
import { RESULT, type Result } from './inbox.queries.ts'

/**
 * Shows a result with its patient and files, and the links to download them. Opening the dialog marks the
 * result as read.
 */
export function ResultDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(RESULT, { variables: { id }, fetchPolicy: 'network-only' })
  const [withdrawnAt, setWithdrawnAt] = useState<Date | null>(null)
  const result = withdrawnAt ? undefined : data?.upload
  const [fileId, setFileId] = useState<string | null>(null)
  const selected = result?.files.find((file) => file.id === fileId) ?? result?.files[0]

  useEffect(() => {
    if (!result || result.openedAt !== null) return
    // The server has marked the result as read after it wrote this response, so the cache is updated here.
    client.cache.modify({
      id: client.cache.identify({ __typename: 'Upload', id: result.id }) ?? '',
      fields: { openedAt: () => new Date().toISOString() },
    })
  }, [result])

  useLiveUploads((ids) => {
    if (!result || (ids !== null && !ids.has(id))) return
    // Not `refetch`: its failure would remove the result from the screen when the network fails for a moment.
    client
      .query({ query: RESULT, variables: { id }, fetchPolicy: 'network-only' })
      .catch((error: unknown) => {
        if (errorCode(error) === 'NOT_FOUND') setWithdrawnAt(new Date())
      })
  })

  return (
    <Dialog
      title={withdrawnAt ? 'Rezultat retras' : (result?.patient?.name ?? 'Rezultat')}
      size="lg"
      isOpen
      onOpenChange={(open) => !open && onClose()}
      actions={
        result &&
        selected && (
          <>
            <Button onPress={onClose}>Închide</Button>
            {result.files.length > 1 ? (
              <DownloadLink href={archiveAddress(result.id)} variant="primary">
                Descarcă tot
              </DownloadLink>
            ) : (
              <DownloadLink href={downloadAddress(selected.id)} variant="primary">
                Descarcă
              </DownloadLink>
            )}
          </>
        )
      }
    >
      {withdrawnAt ? (
        <WithdrawnResult at={withdrawnAt} />
      ) : result && selected ? (
        <div className="grid gap-4">
          {result.isUpdate && (
            <Alert tone="info" icon="history" title="Rezultat actualizat">
              Înlocuiește o versiune primită înainte, care nu mai este valabilă.
            </Alert>
          )}
          <ResultDetails result={result} />
          <FilesPanel
            files={result.files}
            selected={selected}
            onSelect={setFileId}
            className="h-[min(70dvh,56rem)]"
          />
          <ResultQuestions uploadId={result.id} />
        </div>
      ) : error ? (
        <BlockedResult error={error} onRetry={() => void refetch().catch(() => undefined)} />
      ) : (
        <div role="status" aria-label="Se încarcă" className="grid gap-4">
          <Skeleton className="h-24" />
          <Skeleton className="h-96" />
        </div>
      )}
    </Dialog>
  )
}

/** Replaces a result that the user may not see any more; `at` is when the page was notified. */
function WithdrawnResult({ at }: { at: Date }) {
  return (
    <Alert tone="danger" isLive title="Rezultatul a fost retras">
      Aflat la {formatDateTime(at.toISOString())}. Nu îl folosiți. Dacă l-ați descărcat sau l-ați tipărit,
      distrugeți copia.
    </Alert>
  )
}

function ResultDetails({ result }: { result: Result }) {
  const { title, patient, category, examinedOn, referringDoctor, releasedAt } = result
  const person = [
    patient?.birthDate && describeBirth(patient.sex, patient.birthDate),
    patient?.cnpMasked && `CNP ${patient.cnpMasked}`,
  ]
  const examination = [
    category?.name,
    examinedOn && `examinare din ${formatDate(examinedOn)}`,
    referringDoctor,
    releasedAt && `primit ${formatDateTime(releasedAt)}`,
  ]
  return (
    <div className="grid gap-1 text-sm break-words text-muted">
      <p>{person.filter(Boolean).join(' · ')}</p>
      <p className="mt-1 text-base font-medium text-ink">{title}</p>
      <p>{examination.filter(Boolean).join(' · ')}</p>
    </div>
  )
}

function BlockedResult({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (errorCode(error) !== 'NOT_FOUND')
    return <ErrorState onRetry={onRetry}>{errorMessage(error)}</ErrorState>
  return (
    <EmptyState icon="file-question" title="Rezultatul nu există sau nu aveți acces la el">
      Poate a fost retras între timp. Întoarceți-vă la lista rezultatelor.
    </EmptyState>
  )
}
