import { IMPORT_LIMITS } from '../../../shared/imports/patient-imports.ts'
import { normaliseText } from '../../../shared/romania/names.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid, invalidState, UserError } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { canImportPatients } from './imports.access.ts'
import { countImportsOf, insertImport } from './imports.db.ts'

/** Throws FORBIDDEN if the actor may not import patients: asked before the file is received. */
export function authoriseImport({ actor }: UserCtx): void {
  if (!canImportPatients(actor)) throw forbidden('import patients')
}

/** Stores a file of patients and has it read; returns the id of the import. */
export async function receiveImport(ctx: UserCtx, name: string, bytes: Uint8Array): Promise<string> {
  authoriseImport(ctx)
  const file_name = normaliseText(name).slice(0, IMPORT_LIMITS.fileName).toWellFormed()
  if (file_name === '') throw invalid([{ field: 'name', message: 'Fișierul nu are nume.' }])
  if (bytes.length === 0) throw invalid([{ field: 'file', message: 'Fișierul nu are conținut.' }])
  if ((await countImportsOf(ctx.db, ctx.actor.id)) >= IMPORT_LIMITS.files)
    throw invalidState(
      'too many imports',
      `Ai deja ${IMPORT_LIMITS.files} de fișiere: șterge din cele importate.`,
    )
  const id = newId()
  const { storage, jobs } = ctx.services
  const { key } = await storage.put(bytes)
  try {
    await inTransaction(ctx, async (tx) => {
      await insertImport(tx.db, { id, created_by: tx.actor.id, file_name, storage_key: key })
      await recordAudit(tx, { action: 'import.create', subject: { type: 'import', id } })
      await jobs.enqueue(tx.db, 'import-patients', { importId: id, authorId: tx.actor.id })
    })
  } catch (error) {
    // After any other error the row may have been committed.
    if (error instanceof UserError) await storage.remove(key)
    throw error
  }
  return id
}
