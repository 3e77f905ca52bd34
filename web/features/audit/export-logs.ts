import { AUDIT_EXPORT_CUT, AUDIT_EXPORT_PATH } from '../../../shared/audit/audit-export.ts'
import { withFreshProof } from '../../api/fresh-proof.ts'
import { FILE_TIMEOUT_MS, http } from '../../api/http.ts'
import { getTokenFor } from '../../session/token/token-for.ts'
import { saveFile } from '../../ui/base/save-file.ts'
import { type LogFilters, toVariables } from './log-filters.ts'

/**
 * Downloads the filtered audit log as a file. Resolves to whether the log had more entries than the file may
 * have.
 */
export async function exportLogs(filters: LogFilters): Promise<{ isCut: boolean }> {
  const { _data: file, headers } = await withFreshProof(async () =>
    http.raw<Blob, 'blob'>(AUDIT_EXPORT_PATH, {
      query: Object.fromEntries(Object.entries(toVariables(filters)).filter(([, value]) => value !== null)),
      headers: { authorization: `Bearer ${await getTokenFor('export')}` },
      responseType: 'blob',
      timeoutMs: FILE_TIMEOUT_MS,
    }),
  )
  saveFile(file as Blob, `jurnal-${new Date().toLocaleDateString('sv-SE')}.csv`)
  return { isCut: headers.get(AUDIT_EXPORT_CUT) !== null }
}
