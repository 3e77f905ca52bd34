import { LIMITS } from '../../../shared/limits.ts'
import { counted, formatBytes } from '../../../shared/romanian.ts'

/** For the file chooser; what is dropped is judged by `checkFiles`, and by its content at the server. */
export const ACCEPTED_ENDINGS = [
  '.pdf',
  '.jpg',
  '.jpeg',
  '.png',
  '.dcm',
  '.dicom',
  '.zip',
  '.docx',
  '.xlsx',
  '.txt',
  '.csv',
] as const

export const ACCEPTED_TEXT = `PDF, imagini (JPEG, PNG, DICOM), ZIP, Word, Excel, text. Cel mult ${LIMITS.filesPerUpload} de fișiere, ${formatBytes(LIMITS.fileBytes)} fiecare.`

/** What a browser would run as a page, and programs: never medical results. DICOM files often have no ending at all. */
const NEVER = /\.(html?|xhtml|svg|js|mjs|exe|msi|bat|cmd|com|scr|ps1|vbs|sh|jar|apk|dll|lnk)$/i
/** What file managers leave behind in folders. */
const LEFTOVER = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i

export type Refused = { name: string; reason: string }

/** Which of the chosen files go into an upload that already has `present` of them, and why the others do not. */
export function checkFiles<F extends { name: string; size: number }>(
  chosen: readonly F[],
  present: number,
): { taken: F[]; refused: Refused[] } {
  const taken: F[] = []
  const refused: Refused[] = []
  for (const file of chosen) {
    if (LEFTOVER.test(file.name)) continue
    const reason = refusalOf(file, present + taken.length)
    if (reason === null) taken.push(file)
    else refused.push({ name: file.name, reason })
  }
  return { taken, refused }
}

function refusalOf({ name, size }: { name: string; size: number }, present: number): string | null {
  if (NEVER.test(name)) return 'acest tip de fișier nu este primit'
  if (size === 0) return 'fișierul este gol'
  if (size > LIMITS.fileBytes) return `este mai mare de ${formatBytes(LIMITS.fileBytes)}`
  if (present >= LIMITS.filesPerUpload) {
    return `o încărcare are cel mult ${counted(LIMITS.filesPerUpload, 'fișier', 'fișiere')}`
  }
  return null
}
