import { useMutation, useQuery } from '@apollo/client/react'
import { useState } from 'react'
import {
  IMPORT_OUTCOME_NAMES,
  IMPORT_OUTCOMES,
  IMPORT_PROBLEMS,
  IMPORT_STATE_NAMES,
  isRunningImport,
} from '../../../shared/imports/patient-imports.ts'
import { lookUp } from '../../../shared/look-up.ts'
import { counted } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { ProgressBar, Spinner } from '../../ui/base/loading.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportLines } from './import-lines.tsx'
import { IMPORT, type ImportPage, REMOVE_IMPORT, START_IMPORT, STOP_IMPORT } from './imports.queries.ts'
import { showFailure } from './show-failure.ts'

const POLL_MS = 1_000

/** The steps of an import: its columns, what the check says of the rows, and what was imported. */
export function ImportSteps({ id, onClose }: { id: string; onClose: () => void }) {
  const [pollInterval, setPollInterval] = useState(POLL_MS)
  const { data, error, refetch, loading } = useQuery(IMPORT, {
    variables: { id },
    pollInterval,
    fetchPolicy: 'cache-and-network',
  })
  const found = data?.patientImport
  const wanted = found && !isRunningImport(found.state) ? 0 : POLL_MS
  if (wanted !== pollInterval) setPollInterval(wanted)
  if (!found)
    return error ? (
      <ErrorState onRetry={() => void refetch()} isRetrying={loading}>
        {errorMessage(error)}
      </ErrorState>
    ) : (
      <Spinner className="p-4" />
    )
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold break-words">{found.fileName}</h2>
          <p className="text-sm text-muted" role="status">
            {IMPORT_STATE_NAMES[found.state]}
            {found.rowCount > 0 && ` · ${counted(found.rowCount, 'rând', 'rânduri')}`}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button icon="arrow-left" variant="quiet" onPress={onClose}>
            Toate importurile
          </Button>
          <RemoveButton found={found} onRemoved={onClose} />
        </div>
      </div>
      <Step found={found} />
    </div>
  )
}

function Step({ found }: { found: ImportPage }) {
  const [isEditing, setEditing] = useState(false)
  const { state, rowCount, checkedRows, importedRows } = found
  if (state === 'reading') return <ProgressBar label="Se citește fișierul" value={null} />
  if (state === 'unreadable')
    return (
      <Alert tone="danger" title="Fișierul nu poate fi importat" isLive>
        {lookUp(IMPORT_PROBLEMS, found.problem ?? 'damaged')}
      </Alert>
    )
  if (state === 'checking') return <Running found={found} label="Se verifică rândurile" done={checkedRows} />
  if (state === 'read' || (state === 'checked' && isEditing))
    return <ImportColumns key={found.version} found={found} onChecked={() => setEditing(false)} />
  return (
    <>
      {state === 'importing' && <Running found={found} label="Se importă" done={importedRows} />}
      {state === 'checked' && <Checked found={found} onEdit={() => setEditing(true)} />}
      {state === 'stopped' && (
        <Alert
          tone="warning"
          title="Importul este oprit"
          actions={<StartButton found={found} label="Continuă importul" />}
        >
          {counted(importedRows, 'rând prelucrat', 'rânduri prelucrate')} din{' '}
          {rowCount.toLocaleString('ro-RO')}. Ce s-a importat rămâne.
        </Alert>
      )}
      {state === 'done' && (
        <Alert tone="success" title="Importul s-a încheiat" isLive>
          {describeCounts(found.imported)}
        </Alert>
      )}
      <ImportLines key={state} found={found} />
    </>
  )
}

/** Returns the counts as a sentence. */
const describeCounts = (counts: ImportPage['checked']): string => {
  const rowsOf = (outcome: string) => counts.find((count) => count.outcome === outcome)?.rows ?? 0
  const parts = IMPORT_OUTCOMES.filter((outcome) => rowsOf(outcome) > 0).map(
    (outcome) => `${IMPORT_OUTCOME_NAMES[outcome]}: ${rowsOf(outcome).toLocaleString('ro-RO')}`,
  )
  return `${parts.join(' · ')}.`
}

function Running({ found, label, done }: { found: ImportPage; label: string; done: number }) {
  const [stop, { loading }] = useMutation(STOP_IMPORT, { onError: showFailure })
  return (
    <Card>
      <div className="grid gap-4">
        <ProgressBar
          label={label}
          value={found.rowCount === 0 ? null : (done / found.rowCount) * 100}
          valueText={`${done.toLocaleString('ro-RO')} din ${found.rowCount.toLocaleString('ro-RO')}`}
        />
        <Button
          className="justify-self-start"
          isPending={loading}
          onPress={() => void stop({ variables: { id: found.id } })}
        >
          Oprește
        </Button>
      </div>
    </Card>
  )
}

function Checked({ found, onEdit }: { found: ImportPage; onEdit: () => void }) {
  const duplicates = found.checked.find(({ outcome }) => outcome === 'duplicate')?.rows ?? 0
  return (
    <Alert
      tone="info"
      title="Verificat: nu s-a scris încă nimic"
      isLive
      actions={
        <>
          <StartButton found={found} label="Importă" />
          <Button onPress={onEdit}>Schimbă coloanele</Button>
        </>
      }
    >
      {describeCounts(found.checked)}
      {duplicates > 0 && ' Posibilele duplicate se adaugă numai dacă le bifezi.'}
    </Alert>
  )
}

function StartButton({ found: { id, version }, label }: { found: ImportPage; label: string }) {
  const [start, { loading }] = useMutation(START_IMPORT, { onError: showFailure })
  return (
    <Button
      variant="primary"
      icon="check"
      isPending={loading}
      onPress={() => void start({ variables: { id, version } })}
    >
      {label}
    </Button>
  )
}

function RemoveButton({ found, onRemoved }: { found: ImportPage; onRemoved: () => void }) {
  const [remove, { loading }] = useMutation(REMOVE_IMPORT, {
    update: (cache) => void cache.evict({ fieldName: 'patientImports' }),
  })
  if (isRunningImport(found.state) && found.state !== 'reading') return null
  const run = async () => {
    try {
      await remove({ variables: { id: found.id } })
      showToast({ tone: 'success', title: 'Fișier șters', description: 'Pacienții importați rămân.' })
      onRemoved()
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <Button icon="trash" variant="quiet" isPending={loading} onPress={() => void run()}>
      Șterge fișierul
    </Button>
  )
}
