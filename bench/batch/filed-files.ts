import { setTimeout as pause } from 'node:timers/promises'
import type { Product } from '../../e2e/harness/product.ts'
import type { Day } from './write-day.ts'

const WAIT_MS = 600_000

/** Counts the files that have arrived, that were read and that were filed, and the groups that were not read yet. */
export async function readState({ db }: Product) {
  const rows = await db
    .selectFrom('upload')
    .leftJoin('batch_proposal', 'batch_proposal.upload_id', 'upload.id')
    .leftJoin('file', 'file.upload_id', 'upload.id')
    .leftJoin('file_reading', 'file_reading.file_id', 'file.id')
    .select([
      'upload.state',
      'upload.filed_at',
      'file.id as file_id',
      'file_reading.read_at',
      'batch_proposal.is_ready',
    ])
    .where('upload.batch_id', 'is not', null)
    .where('file.removed_at', 'is', null)
    .execute()
  const open = rows.filter(({ state }) => state === 'receiving')
  return {
    arrived: rows.filter(({ file_id }) => file_id !== null).length,
    read: rows.filter(({ read_at }) => read_at !== null).length,
    waiting: open.filter(({ is_ready }) => is_ready === null).length,
    filed: rows.filter(({ filed_at }) => filed_at !== null).length,
  }
}

/** Throws unless each content was filed once, for its patient. */
export async function checkFiled({ db }: Product, { files, people }: Day): Promise<void> {
  const rows = await db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .innerJoin('patient', 'patient.id', 'upload.patient_id')
    .select(['file.name', 'file.sha256', 'patient.cnp'])
    .where('upload.batch_id', 'is not', null)
    .where('upload.filed_at', 'is not', null)
    .where('upload.state', '!=', 'withdrawn')
    .where('file.removed_at', 'is', null)
    .execute()
  const filed = Map.groupBy(rows, ({ sha256 }) => sha256.toString('hex'))
  const faults = [...new Map(files.map((file) => [file.sha256, file])).values()].flatMap(
    ({ sha256, name }) => {
      const places = filed.get(sha256) ?? []
      if (places.length !== 1) return [`${name}: filed ${places.length} times`]
      return places[0]!.cnp === people.get(name)!.cnp ? [] : [`${name}: filed for another patient`]
    },
  )
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

/** Waits until the condition is true; throws after ten minutes. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${condition}`)
    await pause(100)
  }
}
