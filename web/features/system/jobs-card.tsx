import { useMutation } from '@apollo/client/react'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { RETRY_JOB, type SystemDetails } from './system.queries.ts'

type JobCount = SystemDetails['jobs'][number]
type FailedJob = SystemDetails['failedJobs'][number]

/** A job of another version of the product has no label; this version cannot run it. */
const title = ({ label, name }: { label: string | null; name: string }): string =>
  label ?? `Operație necunoscută: ${name}`

const countColumns: Column<JobCount>[] = [
  { id: 'name', header: 'Operație', kind: 'title', cell: title },
  { id: 'waiting', header: 'Așteaptă', align: 'end', cell: ({ waiting }) => waiting },
  { id: 'active', header: 'În lucru', align: 'end', cell: ({ active }) => active },
  { id: 'failed', header: 'Nereușite', align: 'end', cell: ({ failed }) => failed },
]

const failedColumns = (onRetry: (job: FailedJob) => void): Column<FailedJob>[] => [
  { id: 'name', header: 'Operație', kind: 'title', cell: title },
  { id: 'at', header: 'Renunțat', cell: ({ failedAt }) => failedAt && formatDateTime(failedAt) },
  { id: 'tries', header: 'Încercări', align: 'end', cell: ({ tries }) => tries },
  {
    id: 'error',
    header: 'Eroare',
    cell: ({ error }) => <code className="font-mono text-sm">{error}</code>,
  },
  {
    id: 'retry',
    header: 'Reluare',
    kind: 'actions',
    cell: (job) =>
      job.label !== null && (
        <Button
          variant="quiet"
          icon="refresh"
          aria-label={`Reia: ${title(job)}`}
          onPress={() => onRetry(job)}
        >
          Reia
        </Button>
      ),
  },
]

/** Lists the background jobs of the server: waiting and failed. */
export function JobsCard({
  counts,
  failed,
  onChange,
}: {
  counts: readonly JobCount[]
  failed: readonly FailedJob[]
  onChange: () => void
}) {
  const [retry] = useMutation(RETRY_JOB)
  const onRetry = async ({ name, id }: FailedJob) => {
    try {
      await retry({ variables: { name, id } })
      showToast({ tone: 'success', title: 'Operația se reia' })
    } catch (failure) {
      showToast({ tone: 'error', title: 'Operația nu a fost reluată', description: errorMessage(failure) })
    }
    onChange()
  }
  return (
    <>
      <Card title="Operații în fundal" flush>
        <Table
          label="Operații în fundal"
          columns={countColumns}
          rows={counts}
          rowId={({ name }) => name}
          empty={<EmptyState icon="check-circle" title="Nicio operație în lucru" />}
        />
      </Card>
      {failed.length > 0 && (
        <Card title="Operații la care serverul a renunțat" flush>
          <Table
            label="Operații nereușite"
            columns={failedColumns((job) => void onRetry(job))}
            rows={failed}
            rowId={({ id }) => id}
            empty={null}
          />
        </Card>
      )}
    </>
  )
}
