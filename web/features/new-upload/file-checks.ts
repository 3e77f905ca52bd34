import { counted, formatBytes } from '../../../shared/romania/romanian.ts'
import type { PublicSite } from '../../../shared/site/site-settings.ts'
import { isRunnableName } from '../../../shared/uploads/runnable-names.ts'

/**
 * File name endings offered by the browser's file dialog. No protection: dropped files do not pass the
 * dialog, so `checkFiles` checks every file, and the server checks the content.
 */
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

/** The site's settings for uploads: MiB for each file, files for each upload. */
export type UploadLimits = Pick<PublicSite, 'upload_file_mib' | 'upload_files'>
const fileBytes = ({ upload_file_mib }: UploadLimits) => upload_file_mib * 1024 * 1024

export const acceptedText = (limits: UploadLimits) =>
  `PDF, imagini (JPEG, PNG, DICOM), ZIP, Word, Excel, text. Cel mult ${counted(limits.upload_files, 'fișier', 'fișiere')}, ${formatBytes(fileBytes(limits))} fiecare.`

/** Files that file managers leave in folders; ignored without a message. */
const SYSTEM_FILE_NAMES = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i

export type RejectedFile = { name: string; reason: string }

/** Kinds of files that the check of the content would refuse, by their ending, with what to do instead. */
const REFUSED_ENDINGS: readonly [RegExp, string][] = [
  [/\.(heic|heif|avif)$/i, 'fotografiile HEIC nu se primesc: salvează-le ca JPEG'],
  [/\.tiff?$/i, 'imaginile TIFF nu se primesc: salvează-le ca PDF sau JPEG'],
  [/\.(bmp|gif|webp)$/i, 'acest fel de imagine nu se primește: salveaz-o ca JPEG sau PNG'],
  [/\.(rar|7z)$/i, 'arhivele RAR și 7z nu se primesc: fă una ZIP'],
]

/**
 * Splits the chosen files into those accepted by an upload that already has `existingCount` files, and the
 * others with the reason in Romanian. `container` is what has at most `upload_files` files.
 */
export function checkFiles<F extends { name: string; size: number }>(
  chosen: readonly F[],
  existingCount: number,
  limits: UploadLimits,
  container = 'o încărcare',
): { accepted: F[]; rejected: RejectedFile[] } {
  const accepted: F[] = []
  const rejected: RejectedFile[] = []
  for (const file of chosen) {
    if (SYSTEM_FILE_NAMES.test(file.name)) continue
    const reason = findRejection(file, existingCount + accepted.length, limits, container)
    if (reason === null) accepted.push(file)
    else rejected.push({ name: file.name, reason })
  }
  return { accepted, rejected }
}

function findRejection(
  { name, size }: { name: string; size: number },
  existingCount: number,
  limits: UploadLimits,
  container: string,
): string | null {
  if (isRunnableName(name)) return 'acest tip de fișier nu este primit'
  const refused = REFUSED_ENDINGS.find(([ending]) => ending.test(name))
  if (refused) return refused[1]
  if (size === 0) return 'fișierul este gol'
  if (size > fileBytes(limits)) return `este mai mare de ${formatBytes(fileBytes(limits))}`
  if (existingCount >= limits.upload_files) {
    return `${container} are cel mult ${counted(limits.upload_files, 'fișier', 'fișiere')}`
  }
  return null
}
