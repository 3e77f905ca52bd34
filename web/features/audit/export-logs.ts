import { AUDIT_EXPORT_CUT, AUDIT_EXPORT_PATH } from '../../../shared/audit/audit-export.ts'
import { http } from '../../api/http.ts'
import { getIdToken } from '../../session/token.ts'
import { type LogFilters, requestedFilters } from './log-filters.ts'

/** Saves the filtered journal as a file on the person's disk. Answers whether there was more than one file holds. */
export async function exportLogs(filters: LogFilters): Promise<{ isCut: boolean }> {
  const { _data: file, headers } = await http.raw<Blob, 'blob'>(AUDIT_EXPORT_PATH, {
    query: Object.fromEntries(
      Object.entries(requestedFilters(filters)).filter(([, value]) => value !== null),
    ),
    headers: { authorization: `Bearer ${await getIdToken()}` },
    responseType: 'blob',
  })
  const address = URL.createObjectURL(file as Blob)
  const link = document.createElement('a')
  link.href = address
  link.download = `jurnal-${new Date().toLocaleDateString('sv-SE')}.csv`
  link.click()
  // The browser has taken it over by the next turn.
  setTimeout(() => URL.revokeObjectURL(address))
  return { isCut: headers.get(AUDIT_EXPORT_CUT) !== null }
}
