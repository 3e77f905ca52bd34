import { useMutation } from '@apollo/client/react'
import { useState } from 'react'
import {
  IMPORT_ENCODING_NAMES,
  IMPORT_ENCODINGS,
  IMPORT_FIELD_NAMES,
  IMPORT_FIELDS,
  type ImportEncoding,
  type ImportField,
  REQUIRED_IMPORT_FIELDS,
} from '../../../shared/imports/patient-imports.ts'
import { listProblem } from '../../api/client-error.ts'
import { Button } from '../../ui/base/button.tsx'
import { Card } from '../../ui/base/card.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import { Select } from '../../ui/options/select.tsx'
import { useLoadedOptions } from '../../ui/options/use-loaded-options.ts'
import { useFindInstitutions } from '../users/use-find-institutions.ts'
import { CHECK_IMPORT, type ImportPage, REREAD_IMPORT } from './imports.queries.ts'
import { showFailure } from './show-failure.ts'

const FIELD_OPTIONS = [
  { id: 'none' as const, label: 'Nu se importă' },
  ...IMPORT_FIELDS.map((id) => ({ id, label: IMPORT_FIELD_NAMES[id] })),
]
const ENCODING_OPTIONS = IMPORT_ENCODINGS.map((id) => ({ id, label: IMPORT_ENCODING_NAMES[id] }))

interface ImportColumnsProps {
  found: ImportPage
  onChecked: () => void
}

/** The columns of the file with its first rows, in which the user says what each column has. */
export function ImportColumns({ found, onChecked }: ImportColumnsProps) {
  const { id, version, headings, encoding } = found
  const [columns, setColumns] = useState<readonly (ImportField | null)[]>(found.columns)
  const [overwrites, setOverwrites] = useState(found.overwrites)
  const [institutionId, setInstitutionId] = useState(found.institutionId)
  const [reread, rereading] = useMutation(REREAD_IMPORT, { onError: showFailure })
  const [check, checking] = useMutation(CHECK_IMPORT, { onError: showFailure, onCompleted: onChecked })
  const places = columns.map((field, place) => ({
    place,
    field,
    title: headings[place] || `Coloana ${place + 1}`,
  }))
  const rows = (found.preview as string[][]).map((cells, row) => ({ row, cells }))
  const missing = REQUIRED_IMPORT_FIELDS.filter((field) => !columns.includes(field))
  const choose = (place: number, field: ImportField | null) =>
    // A field that another column had moves here.
    setColumns(
      columns.map((other, at) => (at === place ? field : field !== null && other === field ? null : other)),
    )
  return (
    <>
      <Card title="Coloanele fișierului">
        <div className="grid gap-4">
          {encoding && (
            <Select<ImportEncoding>
              label="Codificarea textului"
              help="Dacă ș, ț, ă nu se văd bine mai jos, alege alta."
              options={ENCODING_OPTIONS}
              value={encoding as ImportEncoding}
              onChange={(next) => void reread({ variables: { id, version, encoding: next } })}
              isDisabled={rereading.loading}
              className="max-w-80"
            />
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the preview */}
          <section className="overflow-x-auto" aria-label="Primele rânduri" tabIndex={0}>
            <table className="w-full border-collapse text-start text-sm">
              <thead>
                <tr>
                  {places.map(({ place, field, title }) => (
                    <th
                      key={place}
                      scope="col"
                      className="min-w-44 p-1.5 text-start align-bottom font-normal"
                    >
                      <span className="mb-1 block truncate text-muted">{title}</span>
                      <Select<ImportField | 'none'>
                        label={`Câmpul coloanei „${title}”`}
                        hideLabel
                        options={FIELD_OPTIONS}
                        value={field ?? 'none'}
                        onChange={(next) => choose(place, next === 'none' ? null : next)}
                      />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ row, cells }) => (
                  <tr key={row} className="border-t border-line">
                    {places.map(({ place, field }) => (
                      <td
                        key={place}
                        className={classNames('max-w-64 truncate p-1.5', !field && 'text-faint')}
                      >
                        {cells[place] ?? ''}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </div>
      </Card>
      <Card title="Cum se importă">
        <div className="grid gap-4">
          <InstitutionField value={institutionId} name={found.institutionName} onChange={setInstitutionId} />
          <Checkbox
            isSelected={overwrites}
            onChange={setOverwrites}
            help="Altfel se completează numai câmpurile goale, iar rândurile cu alte valori sunt refuzate. Numele și CNP-ul nu se schimbă niciodată."
          >
            Înlocuiește valorile care diferă la pacienții existenți
          </Checkbox>
          {missing.length > 0 && (
            <Alert tone="warning">
              Alege coloanele pentru {missing.map((field) => IMPORT_FIELD_NAMES[field]).join(' și ')}.
            </Alert>
          )}
          <Button
            variant="primary"
            className="justify-self-start"
            isDisabled={missing.length > 0}
            isPending={checking.loading}
            onPress={() =>
              void check({ variables: { id, version, columns: [...columns], institutionId, overwrites } })
            }
          >
            Verifică rândurile
          </Button>
        </div>
      </Card>
    </>
  )
}

interface InstitutionFieldProps {
  value: string | null
  name: string | null
  onChange: (id: string | null) => void
}

function InstitutionField({ value, name, onChange }: InstitutionFieldProps) {
  const { error, ...source } = useLoadedOptions(useFindInstitutions())
  return (
    <ComboBox
      label="Instituția trimițătoare"
      placeholder="Fără trimitere"
      help="Toți pacienții fișierului primesc o trimitere de la ea, iar ea îi vede în listă."
      {...source}
      problem={listProblem(error)}
      chosen={value && name ? { id: value, label: name } : undefined}
      value={value}
      onChange={onChange}
      emptyText="Nicio instituție găsită"
      className="max-w-96"
    />
  )
}
