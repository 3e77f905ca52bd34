import { useState } from 'react'
import { LEDGER_EXPORT_PATH } from '../../../shared/csv/csv-exports.ts'
import { explainFailure } from '../../../shared/messages/explain-failure.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { ExportButton } from '../../lists/export-button.tsx'
import { useListQuery } from '../../lists/use-list-query.ts'
import { useFeature } from '../../session/use-session.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { TextLink } from '../../ui/base/link.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { LoadMore } from '../../ui/page/load-more.tsx'
import { UploadStatePill } from '../uploads/upload-state-pill.tsx'
import { DELIVERY_LEDGER, type DeliveryStep } from './deliveries.queries.ts'

type Subject = { uploadId: string } | { patientId: string }

/**
 * What became of an upload, or of each of a patient, for each recipient. For reviewers with the files of patients; loaded on
 * request, since the reading is recorded.
 */
export function LedgerCard(subject: Subject) {
  const canRead = [useFeature('admin::review-files'), useFeature('patient::files')].every(Boolean)
  const [isOpen, setOpen] = useState(false)
  if (!canRead) return null
  return (
    <Card
      title="Livrare"
      actions={
        isOpen && (
          <ExportButton name="livrare" path={LEDGER_EXPORT_PATH} filter={{ method: 'POST', body: subject }} />
        )
      }
    >
      {isOpen ? (
        <Ledger {...subject} />
      ) : (
        <Button icon="history" onPress={() => setOpen(true)}>
          Arată cine a fost anunțat și cine a deschis
        </Button>
      )}
    </Card>
  )
}

function Ledger(subject: Subject) {
  const { page, more, region } = useListQuery(DELIVERY_LEDGER, (data) => data.deliveryLedger, {
    variables: subject,
  })
  const uploads = [...Map.groupBy(page?.nodes ?? [], ({ uploadId }) => uploadId).values()]
  return (
    <ListRegion {...region}>
      {page && uploads.length === 0 && (
        <EmptyState icon="paper-plane" title="Nicio încărcare">
          Aici apare fiecare încărcare, de la primire până la descărcare.
        </EmptyState>
      )}
      <ul className="grid gap-5">
        {uploads.map(([first, ...others]) => (
          <li key={first!.uploadId} className="grid min-w-0 gap-2 text-sm">
            {'patientId' in subject && (
              <p className="flex flex-wrap items-center gap-2">
                <TextLink to="/uploads/$uploadId" params={{ uploadId: first!.uploadId }}>
                  {first!.title}
                </TextLink>
                <UploadStatePill state={first!.state} />
              </p>
            )}
            <Steps step={first!} />
            {first!.recipientName === null ? (
              <p className="text-muted">
                Dintre destinatarii de acum, niciunul nu a fost anunțat prin mesaj și niciunul nu a deschis-o.
              </p>
            ) : (
              <ul className="divide-y divide-line rounded-md border border-line">
                {[first!, ...others].map((step) => (
                  <Recipient key={step.id} step={step} />
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <LoadMore {...more} />
    </ListRegion>
  )
}

const shown = (at: string | null): string => (at ? formatDateTime(at) : '–')

function Steps({ step }: { step: DeliveryStep }) {
  const steps = [
    ['Primită', step.receivedAt],
    ['Controlată', step.checkedAt],
    ['Acceptată', step.reviewedAt],
    ['Eliberată', step.releasedAt],
  ] as const
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1">
      {steps.map(([name, at]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-muted">{name}</dt>
          <dd className="tabular-nums">{shown(at)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Recipient({ step }: { step: DeliveryStep }) {
  return (
    <li className="grid gap-0.5 px-3 py-2">
      <p className="font-medium break-words">{step.recipientName}</p>
      <p className={step.mailError && step.mailState !== 'sent' ? 'text-danger' : ''}>{describeMail(step)}</p>
      <p>
        {step.openedAt ? `A deschis-o la ${formatDateTime(step.openedAt)}` : 'Nu a deschis-o'}
        {step.downloadedAt && `, a descărcat-o la ${formatDateTime(step.downloadedAt)}`}
      </p>
    </li>
  )
}

function describeMail({ mailState, mailedAt, mailError }: DeliveryStep): string {
  switch (mailState) {
    case 'sent':
      return `Mesaj primit de serverul de e-mail la ${shown(mailedAt)}`
    case 'queued':
      return mailError ? `Mesajul așteaptă: ${explainFailure(mailError)}` : 'Mesajul așteaptă'
    case 'failed':
    case 'bounced':
      return `Mesajul nu a ajuns: ${explainFailure(mailError ?? '')}`
    default:
      return 'Fără mesaj'
  }
}
