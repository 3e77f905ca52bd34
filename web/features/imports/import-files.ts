import {
  IMPORT_FILE_NAME,
  IMPORT_LIMITS,
  PATIENT_IMPORTS_PATH,
} from '../../../shared/imports/patient-imports.ts'
import { FILE_TIMEOUT_MS, http } from '../../api/http.ts'
import { getTokenFor } from '../../session/token/token-for.ts'
import { saveFile } from '../../ui/base/save-file.ts'

/** Sends a file of patients; returns the id of its import. */
export async function sendImportFile(file: File): Promise<string> {
  const { id } = await http<{ id: string }>(PATIENT_IMPORTS_PATH, {
    method: 'POST',
    body: file,
    timeoutMs: FILE_TIMEOUT_MS,
    headers: {
      authorization: `Bearer ${(await getTokenFor('files')) ?? ''}`,
      [IMPORT_FILE_NAME]: encodeURIComponent(file.name.slice(0, IMPORT_LIMITS.fileName).toWellFormed()),
    },
  })
  return id
}

/** Downloads the refused rows of an import as a file that can be mended and sent again. */
export async function saveRefusedRows(id: string): Promise<void> {
  const file = await http<Blob, 'blob'>(`${PATIENT_IMPORTS_PATH}/${id}/refused.csv`, {
    headers: { authorization: `Bearer ${await getTokenFor('export')}` },
    responseType: 'blob',
    timeoutMs: FILE_TIMEOUT_MS,
  })
  saveFile(file as Blob, 'randuri-refuzate.csv')
}
