import { useState } from 'react'
import {
  IMPORT_LIMITS,
  IMPORT_STATE_NAMES,
  type ImportState,
} from '../../../shared/imports/patient-imports.ts'
import { counted, formatBytes, formatDateTime } from '../../../shared/romania/romanian.ts'
import { errorMessage } from '../../api/client-error.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Card } from '../../ui/base/card.tsx'
import { Spinner } from '../../ui/base/loading.tsx'
import { DropArea } from '../../ui/controls/drop-area.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { sendImportFile } from './import-files.ts'
import { ImportSteps } from './import-steps.tsx'
import { IMPORTS, type ImportFields } from './imports.queries.ts'

interface PatientsImportProps {
  /** The open import; undefined for the list. */
  importId: string | undefined
  onOpen: (id: string | undefined) => void
}

/** Imports patients from a file: a new one, one of the last ones, or the open one. */
export function PatientsImport({ importId, onOpen }: PatientsImportProps) {
  if (importId) return <ImportSteps key={importId} id={importId} onClose={() => onOpen(undefined)} />
  return (
    <div className="grid gap-6">
      <NewImport onOpen={onOpen} />
      <LastImports />
    </div>
  )
}

const tooLarge = `Cel mult ${formatBytes(IMPORT_LIMITS.bytes)}: împarte fișierul în mai multe.`

function NewImport({ onOpen }: Pick<PatientsImportProps, 'onOpen'>) {
  const [isSending, setSending] = useState(false)
  const send = async (file: File) => {
    if (file.size > IMPORT_LIMITS.bytes)
      return showToast({ tone: 'error', title: 'Fișierul este prea mare', description: tooLarge })
    setSending(true)
    try {
      onOpen(await sendImportFile(file))
    } catch (error) {
      setSending(false)
      showToast({ tone: 'error', title: 'Fișierul nu a fost trimis', description: errorMessage(error) })
    }
  }
  return (
    <Card title="Import nou">
      {isSending ? (
        <p role="status" className="flex items-center gap-3 py-8 text-sm text-muted">
          <Spinner label="Se trimite fișierul" /> Se trimite fișierul…
        </p>
      ) : (
        <DropArea
          onFiles={([file]) => file && void send(file)}
          title="Trage aici un fișier CSV sau XLSX"
          help="Un pacient pe rând, cu titlurile coloanelor pe primul rând. Nimic nu se scrie înainte să vezi ce s-ar întâmpla cu fiecare rând."
          accept={['.csv', '.txt', '.xlsx']}
          isMultiple={false}
        />
      )}
    </Card>
  )
}

const TONES: Readonly<Partial<Record<ImportState, Tone>>> = {
  unreadable: 'danger',
  stopped: 'warning',
  done: 'success',
}

const COLUMNS: Column<ImportFields>[] = [
  { id: 'file', header: 'Fișier', kind: 'title', cell: ({ fileName }) => fileName },
  {
    id: 'state',
    header: 'Stare',
    cell: ({ state }) => (
      <StatusPill icon={state === 'done' ? 'check-circle' : 'clock'} tone={TONES[state] ?? 'info'}>
        {IMPORT_STATE_NAMES[state]}
      </StatusPill>
    ),
  },
  { id: 'rows', header: 'Rânduri', cell: ({ rowCount }) => counted(rowCount, 'rând', 'rânduri') },
  {
    id: 'at',
    header: 'Trimis',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    className: 'whitespace-nowrap',
  },
]

function LastImports() {
  const { page, more, region } = useListQuery(IMPORTS, (data) => data.patientImports, {
    variables: { first: 10 },
    fetchPolicy: 'cache-and-network',
  })
  return (
    <Card title="Importurile mele" flush>
      <ListRegion {...region}>
        <Table
          label="Importurile mele"
          columns={COLUMNS}
          rows={page?.nodes ?? null}
          rowId={({ id }) => id}
          rowLink={({ id }) => ({ to: '/bulk', search: { tab: 'pacienti', import: id } })}
          skeletonRows={2}
          more={more}
          empty={
            <EmptyState icon="file-up" title="Niciun import încă">
              Aici rămân timp de 30 de zile fișierele trimise și ce s-a făcut cu fiecare rând.
            </EmptyState>
          }
        />
      </ListRegion>
    </Card>
  )
}
