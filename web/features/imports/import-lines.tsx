import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import {
  IMPORT_FIELD_NAMES,
  IMPORT_OUTCOME_NAMES,
  IMPORT_OUTCOMES,
  type ImportField,
  type ImportOutcome,
} from '../../../shared/imports/patient-imports.ts'
import { useListQuery } from '../../lists/use-list-query.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import type { IconName } from '../../ui/base/icon.tsx'
import { TextLink } from '../../ui/base/link.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListRegion } from '../../ui/page/list-region.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'
import { type Column, Table } from '../../ui/page/table.tsx'
import { saveRefusedRows } from './import-files.ts'
import { ALLOW_LINES, IMPORT_LINES, type ImportLine, type ImportPage } from './imports.queries.ts'
import { showFailure } from './show-failure.ts'

const LOOKS: Readonly<Record<ImportOutcome, { icon: IconName; tone: Tone }>> = {
  created: { icon: 'user', tone: 'success' },
  updated: { icon: 'pencil', tone: 'info' },
  same: { icon: 'check', tone: 'neutral' },
  duplicate: { icon: 'users', tone: 'warning' },
  refused: { icon: 'close', tone: 'danger' },
}

/** The rows of an import with what happens to each, filtered by outcome. */
export function ImportLines({ found }: { found: ImportPage }) {
  const isChecked = found.state === 'checked'
  const counts = isChecked ? found.checked : found.imported
  const rowsOf = (outcome: ImportOutcome) => counts.find((count) => count.outcome === outcome)?.rows ?? 0
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null)
  const { page, more, region, reload } = useListQuery(IMPORT_LINES, (data) => data.patientImportLines, {
    variables: { importId: found.id, outcome, first: 50 },
    fetchPolicy: 'network-only',
  })
  const [allow, { loading }] = useMutation(ALLOW_LINES, { onError: showFailure, onCompleted: reload })
  const setAllowed = (lines: number[], allowed: boolean) =>
    void allow({ variables: { id: found.id, lines, allowed } })
  const columns: Column<ImportLine>[] = [
    { id: 'line', header: 'Rând', cell: ({ line }) => line, className: 'tabular-nums w-20' },
    { id: 'name', header: 'Nume', kind: 'title', cell: ({ name }) => name || '–', className: 'min-w-40' },
    {
      id: 'outcome',
      header: 'Rezultat',
      cell: (row) =>
        row.outcome && <StatusPill {...LOOKS[row.outcome]}>{IMPORT_OUTCOME_NAMES[row.outcome]}</StatusPill>,
    },
    { id: 'why', header: 'Ce se întâmplă', cell: (row) => <Details row={row} />, className: 'min-w-56' },
    {
      id: 'patient',
      header: 'Pacient',
      cell: ({ patient }) =>
        patient && (
          <TextLink to="/patients/$patientId" params={{ patientId: patient.id }}>
            {patient.name}
          </TextLink>
        ),
    },
    ...(isChecked
      ? [
          {
            id: 'allow',
            header: 'Adaugă',
            kind: 'actions' as const,
            cell: (row: ImportLine) =>
              row.outcome === 'duplicate' && (
                <Checkbox
                  isSelected={row.isAllowed}
                  isDisabled={loading}
                  onChange={(allowed) => setAllowed([row.line], allowed)}
                >
                  E altă persoană: adaugă
                </Checkbox>
              ),
          },
        ]
      : []),
  ]
  const duplicates = page?.nodes.filter((row) => row.outcome === 'duplicate' && !row.isAllowed) ?? []
  return (
    <Card title="Rânduri" flush>
      <fieldset className="flex flex-wrap gap-2 px-5 pb-4">
        <legend className="sr-only">Filtru după rezultat</legend>
        {[null, ...IMPORT_OUTCOMES.filter((each) => rowsOf(each) > 0)].map((each) => (
          <Button
            key={each ?? 'all'}
            variant={each === outcome ? 'secondary' : 'quiet'}
            aria-pressed={each === outcome}
            onPress={() => setOutcome(each)}
          >
            {each === null
              ? 'Toate'
              : `${IMPORT_OUTCOME_NAMES[each]} (${rowsOf(each).toLocaleString('ro-RO')})`}
          </Button>
        ))}
        {rowsOf('refused') > 0 && <RefusedButton id={found.id} />}
        {isChecked && outcome === 'duplicate' && duplicates.length > 0 && (
          <Button
            isPending={loading}
            onPress={() =>
              setAllowed(
                duplicates.map(({ line }) => line),
                true,
              )
            }
          >
            Bifează rândurile afișate
          </Button>
        )}
      </fieldset>
      <ListRegion {...region}>
        <Table
          label="Rândurile fișierului"
          columns={columns}
          rows={page?.nodes ?? null}
          rowId={({ line }) => String(line)}
          more={more}
          empty={
            <EmptyState icon="search" title="Niciun rând cu acest rezultat">
              Alege alt rezultat de mai sus.
            </EmptyState>
          }
        />
      </ListRegion>
    </Card>
  )
}

const nameOf = (field: string): string =>
  field === 'referral' ? 'Trimitere' : IMPORT_FIELD_NAMES[field as ImportField]

function Details({ row: { problems, changes, sameLine, outcome } }: { row: ImportLine }) {
  if (outcome === 'same' && sameLine !== null) return `La fel ca rândul ${sameLine}.`
  if (problems.length === 0 && changes.length === 0) return null
  return (
    <ul className="grid gap-1">
      {problems.map(({ code, field, message }) => (
        <li key={`${code} ${field}`}>{message}</li>
      ))}
      {outcome === 'updated' &&
        changes.map(({ field, from, to }) => (
          <li key={field} className="break-words">
            {nameOf(field)}
            {field !== 'referral' && `: ${from === null ? '' : `${from} → `}${to}`}
          </li>
        ))}
    </ul>
  )
}

/** Downloads the refused rows. */
function RefusedButton({ id }: { id: string }) {
  const [isPending, setPending] = useState(false)
  const save = async () => {
    setPending(true)
    await saveRefusedRows(id).catch(showFailure)
    setPending(false)
  }
  return (
    <Button icon="download" isPending={isPending} onPress={() => void save()}>
      Descarcă rândurile refuzate
    </Button>
  )
}
