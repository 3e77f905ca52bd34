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

const KIND_NAMES: Record<string, string> = {
  'upload.check': 'Controlul fișierelor',
  'upload.sweep': 'Curățarea încărcărilor neterminate',
  'file.purge': 'Ștergerea fișierelor eliminate',
  'message.send': 'Trimiterea mesajelor',
  'account.reset': 'Linkuri pentru parole noi',
  'account.sweep': 'Curățarea autentificărilor',
}
const kindName = (kind: string): string => KIND_NAMES[kind] ?? kind

const countColumns: Column<JobCount>[] = [
  { id: 'kind', header: 'Operație', kind: 'title', cell: ({ kind }) => kindName(kind) },
  { id: 'waiting', header: 'Așteaptă', align: 'end', cell: ({ waiting }) => waiting },
  { id: 'active', header: 'În lucru', align: 'end', cell: ({ active }) => active },
  { id: 'failed', header: 'Nereușite', align: 'end', cell: ({ failed }) => failed },
]

const failedColumns = (onRetry: (job: FailedJob) => void): Column<FailedJob>[] => [
  { id: 'kind', header: 'Operație', kind: 'title', cell: ({ kind }) => kindName(kind) },
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
    cell: (job) => (
      <Button
        variant="quiet"
        icon="refresh"
        aria-label={`Reia: ${kindName(job.kind)}`}
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
  const onRetry = async ({ kind, id }: FailedJob) => {
    try {
      await retry({ variables: { kind, id } })
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
          rowId={({ kind }) => kind}
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
