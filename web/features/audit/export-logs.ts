import { AUDIT_EXPORT_CUT, AUDIT_EXPORT_PATH } from '../../../shared/audit/audit-export.ts'
import { http } from '../../api/http.ts'
import { getIdToken } from '../../session/token.ts'
import { type LogFilters, toVariables } from './log-filters.ts'

/**
 * Downloads the filtered audit log as a file. Resolves to whether the log had more entries than the file may
 * have.
 */
export async function exportLogs(filters: LogFilters): Promise<{ isCut: boolean }> {
  const { _data: file, headers } = await http.raw<Blob, 'blob'>(AUDIT_EXPORT_PATH, {
    query: Object.fromEntries(Object.entries(toVariables(filters)).filter(([, value]) => value !== null)),
    headers: { authorization: `Bearer ${await getIdToken()}` },
    responseType: 'blob',
  })
  const address = URL.createObjectURL(file as Blob)
  const link = document.createElement('a')
  link.href = address
  link.download = `jurnal-${new Date().toLocaleDateString('sv-SE')}.csv`
  link.click()
  // Deferred because the browser starts the download only after this task.
  setTimeout(() => URL.revokeObjectURL(address))
  return { isCut: headers.get(AUDIT_EXPORT_CUT) !== null }
}
