import { useQuery } from '@apollo/client/react'
import { OPENING_ACT_NAMES } from '../../../shared/incidents/incidents.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { OPENINGS, type Opening } from './incidents.queries.ts'

/** Shows who of the institutions opened a released upload, before it is withdrawn or moved. */
export function UploadOpenings({ uploadId }: { uploadId: string }) {
  const { data, error, refetch } = useQuery(OPENINGS, {
    variables: { uploadId },
    fetchPolicy: 'network-only',
  })
  if (error) {
    return (
      <Alert
        tone="warning"
        title="Nu se vede cine a deschis-o"
        actions={
          <Button icon="refresh" onPress={() => void refetch().catch(() => undefined)}>
            Încearcă din nou
          </Button>
        }
      >
        {errorMessage(error)}
      </Alert>
    )
  }
  if (!data) {
    return (
      <div role="status" aria-label="Se încarcă">
        <Skeleton className="h-16" />
      </div>
    )
  }
  return <OpeningList openings={data.openings} />
}

export function OpeningList({ openings }: { openings: readonly Opening[] }) {
  if (openings.length === 0) return <p className="text-sm">Nimeni din afara organizației nu a deschis-o.</p>
  return (
    <section aria-label="Cine a deschis-o" className="grid gap-1.5 text-sm">
      <p className="font-medium">Cine a deschis-o</p>
      <ul className="max-h-60 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {openings.map(({ name, institutionName, acts }) => (
          <li key={`${name} ${institutionName}`} className="grid gap-0.5 px-3 py-2">
            <p className="break-words">
              <span className="font-medium">{name}</span>
              {institutionName && <span className="text-muted">, {institutionName}</span>}
            </p>
            <ActLines acts={acts} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export function ActLines({ acts }: Pick<Opening, 'acts'>) {
  return acts.map(({ kind, firstAt, lastAt }) => (
    <p key={kind} className="text-muted tabular-nums">
      {OPENING_ACT_NAMES[kind]}: {describeTimes(firstAt, lastAt)}
    </p>
  ))
}

function describeTimes(firstAt: string, lastAt: string): string {
  const [first, last] = [formatDateTime(firstAt), formatDateTime(lastAt)]
  return first === last ? first : `${first}, ultima dată ${last}`
}
