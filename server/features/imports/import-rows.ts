import type { ImportOutcome, RowProblem } from '../../../shared/imports/patient-imports.ts'
import type { UserCtx } from '../../context.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { recordDistinct } from '../patients/duplicates/mark-distinct.ts'
import { createPatients } from '../patients/many/create-patients.ts'
import { findPatientsById, lockPatientsByCnps } from '../patients/many/find-patients.ts'
import { referPatients } from '../patients/many/refer-patients.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { valuesOf, writePatientValues } from '../patients/merged-patients.ts'
import type { PatientRow } from '../patients/patients.db.ts'
import { cnpsOf } from './check-rows.ts'
import { type ImportRow, type LineRow, type RowResult, selectWritten } from './imports.db.ts'
import { type Judgement, judgeByPatients } from './judge-rows.ts'
import { type PatientValues, problem, readRow } from './read-row.ts'

type Writable = LineRow & { values: PatientValues }

const CHANGED: readonly RowProblem[] = [
  problem('changed', 'Datele s-au schimbat după verificare. Importă rândul din nou.'),
]

/**
 * Writes the rows as the check has said, in the open transaction. A row about which the check would say something else by
 * now is refused, so that nothing happens that nobody has seen.
 */
export async function importRows(
  tx: UserCtx,
  found: ImportRow,
  lines: readonly LineRow[],
): Promise<RowResult[]> {
  const writable = lines.flatMap((row) => {
    const { values } = isToWrite(row) ? readRow(row.cells, found.columns) : { values: null }
    return values ? [{ ...row, values }] : []
  })
  await blockMerges(tx)
  const known = await lockPatientsByCnps(tx, cnpsOf(writable))
  const judged = await judgeByPatients(tx, found, writable, known, async (ids) => {
    const written = await selectWritten(tx.db, found.id, ids)
    return new Set(written.flatMap(({ patient_id }) => patient_id ?? []))
  })
  const confirmed = writable.filter((row) => isAsChecked(row, judged.get(row.line)!))
  const created = confirmed.filter(({ outcome }) => outcome !== 'updated')
  const ids = await createPatients(
    tx,
    created.map(({ values }) => values),
  )
  const idOf = new Map(created.map(({ line }, place) => [line, ids[place]!]))
  // Unless the resembling patient was merged or deleted meanwhile.
  const resembling = created.filter(
    ({ line, patient_id }) => patient_id !== null && judged.get(line)!.patient_id === patient_id,
  )
  await rememberDistinct(tx, resembling, idOf)
  const byId = new Map(known.map((patient) => [patient.id, patient]))
  const updated = confirmed.filter(({ outcome }) => outcome === 'updated')
  for (const { patient_id, changes } of updated) await update(tx, byId.get(patient_id!)!, changes!)
  if (found.institution_id) {
    const referred = [
      ...created.map(({ values }, place) => ({ id: ids[place]!, cnp: values.cnp })),
      ...updated.flatMap(({ patient_id, changes, values }) =>
        changes?.referral ? { id: patient_id!, cnp: values.cnp } : [],
      ),
    ]
    await referPatients(tx, found.institution_id, referred)
  }
  const written = new Set(confirmed.map(({ line }) => line))
  return lines.map((row): RowResult => {
    const { line, outcome, problems } = row
    const patient_id = idOf.get(line) ?? row.patient_id
    const end = (result: ImportOutcome, result_problems: readonly RowProblem[] | null) => ({
      line,
      result,
      result_problems,
      patient_id,
    })
    if (!isToWrite(row)) return end(outcome ?? 'refused', problems)
    if (!written.has(line)) return end('refused', CHANGED)
    return end(outcome === 'updated' ? 'updated' : 'created', null)
  })
}

/** Possible duplicates are created only where a person has said that they are somebody else. */
const isToWrite = ({ outcome, allowed }: LineRow): boolean =>
  outcome === 'created' || outcome === 'updated' || (outcome === 'duplicate' && allowed)

function isAsChecked({ outcome, patient_id, changes }: LineRow, now: Judgement): boolean {
  if (outcome === 'duplicate')
    return now.outcome === 'created' || (now.outcome === 'duplicate' && now.patient_id === patient_id)
  return (
    now.outcome === outcome &&
    now.patient_id === patient_id &&
    JSON.stringify(now.changes) === JSON.stringify(changes)
  )
}

async function update(
  tx: UserCtx,
  patient: PatientRow,
  { referral: _referral, ...changes }: NonNullable<LineRow['changes']>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  const values = Object.fromEntries(Object.entries(changes).map(([column, { to }]) => [column, to]))
  const after = await writePatientValues(tx, patient, { ...valuesOf(patient), ...values })
  await recordAudit(tx, {
    action: 'patient.update',
    subject: { type: 'patient', id: patient.id },
    patientId: patient.id,
    changes: listChanges(patient, after, Object.keys(changes) as (keyof PatientRow & string)[]),
  })
}

/** Remembers that a patient who was created all the same is not the one that the row resembled. */
async function rememberDistinct(
  tx: UserCtx,
  rows: readonly Writable[],
  idOf: ReadonlyMap<number, string>,
): Promise<void> {
  const made = await findPatientsById(
    tx,
    rows.map(({ line }) => idOf.get(line)!),
  )
  for (const { line, patient_id } of rows) {
    const patient = made.find(({ id }) => id === idOf.get(line))
    if (patient) await recordDistinct(tx, patient, [patient_id!])
  }
}
