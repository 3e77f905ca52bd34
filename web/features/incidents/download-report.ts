import { INCIDENT_REPORTS_PATH } from '../../../shared/incidents/incidents.ts'
import { FILE_TIMEOUT_MS, http } from '../../api/http.ts'
import { getTokenFor } from '../../session/token/token-for.ts'
import { saveFile } from '../../ui/base/save-file.ts'
import type { Incident } from './incidents.queries.ts'

/** Downloads the report of an incident as PDF. */
export async function downloadReport({ id, number }: Incident): Promise<void> {
  const { _data: file } = await http.raw<Blob, 'blob'>(`${INCIDENT_REPORTS_PATH}/${id}/report.pdf`, {
    headers: { authorization: `Bearer ${await getTokenFor('export')}` },
    responseType: 'blob',
    timeoutMs: FILE_TIMEOUT_MS,
  })
  saveFile(file as Blob, `incident-${number}.pdf`)
}
