import { useQuery } from '@apollo/client/react'
import { counted, formatDate } from '../../../../shared/romania/romanian.ts'
import { FROM_CACHE } from '../../../api/from-cache.ts'
import { Icon } from '../../../ui/base/icon.tsx'
import { ActLines } from '../../incidents/openings.tsx'
import { useLiveUploads } from '../../uploads/use-live-uploads.ts'
import { Acknowledgement, RecallSentence } from './recall-parts.tsx'
import { RECALLS, type Recall } from './recalls.queries.ts'

/** The results that the user's institutions had opened and that were withdrawn or replaced; `InstitutionHome` loads them first. */
export function WithdrawnResults() {
  const { data, refetch } = useQuery(RECALLS, FROM_CACHE)
  // Such an event names no upload.
  useLiveUploads((ids) => {
    if (ids === null) void refetch().catch(() => undefined)
  })
  const recalls = data?.recalls ?? []
  if (recalls.length === 0) return null
  return (
    <section aria-label="Rezultate retrase sau înlocuite" className="mb-5">
      <h2 className="mb-2 text-sm font-medium text-danger">Nu mai sunt valabile</h2>
      <ul className="max-h-[50dvh] divide-y divide-line overflow-y-auto rounded-lg border border-danger/40 bg-surface">
        {recalls.map((recall) => (
          <li key={recall.id}>
            <RecallRow recall={recall} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function RecallRow({ recall }: { recall: Recall }) {
  const { patientName, title, examinedOn, uploadNumber, openings, acknowledgedAt } = recall
  return (
    <div
      data-recall={recall.uploadId}
      className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4 gap-y-2 px-4 py-3 text-sm sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:px-5"
    >
      <Icon
        name={recall.kind === 'replaced' ? 'history' : 'error'}
        className={acknowledgedAt ? 'text-muted' : 'text-danger'}
      />
      <div className="grid gap-1">
        <p className="break-words">
          <del className="font-medium">
            {[patientName, title].filter(Boolean).join(' · ')}
            {examinedOn && `, ${formatDate(examinedOn)}`}
          </del>{' '}
          <span className="text-muted">nr. {uploadNumber}</span>
        </p>
        <p>
          <RecallSentence recall={recall} />
        </p>
        <details>
          <summary className="cursor-pointer text-muted">
            Deschis de {counted(openings.length, 'utilizator', 'utilizatori')} de la dumneavoastră
          </summary>
          <ul className="mt-1 grid gap-1">
            {openings.map(({ name, acts }) => (
              <li key={`${name} ${acts[0]?.firstAt}`}>
                <p className="font-medium break-words">{name}</p>
                <ActLines acts={acts} />
              </li>
            ))}
          </ul>
        </details>
      </div>
      <div className="self-center max-sm:col-start-2">
        <Acknowledgement recall={recall} />
      </div>
    </div>
  )
}
