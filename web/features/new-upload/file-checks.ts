import { counted, formatBytes } from '../../../shared/romania/romanian.ts'
import type { PublicSite } from '../../../shared/site/site-settings.ts'

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

/** What the site's settings say of uploads. */
export type UploadLimits = Pick<PublicSite, 'upload_file_mib' | 'upload_files'>
const fileBytes = ({ upload_file_mib }: UploadLimits) => upload_file_mib * 1024 * 1024

export const acceptedText = (limits: UploadLimits) =>
  `PDF, imagini (JPEG, PNG, DICOM), ZIP, Word, Excel, text. Cel mult ${counted(limits.upload_files, 'fișier', 'fișiere')}, ${formatBytes(fileBytes(limits))} fiecare.`

/** What a browser would run as a page, and programs: never medical results. DICOM files often have no ending at all. */
const FORBIDDEN_NAMES = /\.(html?|xhtml|svg|js|mjs|exe|msi|bat|cmd|com|scr|ps1|vbs|sh|jar|apk|dll|lnk)$/i
/** What file managers leave behind in folders. */
const SYSTEM_FILE_NAMES = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i

export type RejectedFile = { name: string; reason: string }

/** Which of the chosen files go into an upload that already has `present` of them, and why the others do not. */
export function checkFiles<F extends { name: string; size: number }>(
  chosen: readonly F[],
  present: number,
  limits: UploadLimits,
): { taken: F[]; refused: RejectedFile[] } {
  const taken: F[] = []
  const refused: RejectedFile[] = []
  for (const file of chosen) {
    if (SYSTEM_FILE_NAMES.test(file.name)) continue
    const reason = findRejection(file, present + taken.length, limits)
    if (reason === null) taken.push(file)
    else refused.push({ name: file.name, reason })
  }
  return { taken, refused }
}

function findRejection(
  { name, size }: { name: string; size: number },
  present: number,
  limits: UploadLimits,
): string | null {
  if (FORBIDDEN_NAMES.test(name)) return 'acest tip de fișier nu este primit'
  if (size === 0) return 'fișierul este gol'
  if (size > fileBytes(limits)) return `este mai mare de ${formatBytes(fileBytes(limits))}`
  if (present >= limits.upload_files) {
    return `o încărcare are cel mult ${counted(limits.upload_files, 'fișier', 'fișiere')}`
  }
  return null
}
