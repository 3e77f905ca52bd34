import { useEffect } from 'react'
import { counted, formatBytes } from '../../../shared/romania/romanian.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { DescriptionList } from '../../ui/page/description-list.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { DownloadLink } from './download-link.tsx'
import { describeDicom, describeFileFields } from './file-status.ts'
import { downloadAddress, type OnShown, type PreviewFile } from './preview-controls.ts'
import { ScrollBox } from './scroll-box.tsx'

type Props = { file: PreviewFile; onShown?: OnShown | undefined }

/** Lists the first names of the files in an archive, below what its DICOM files show. */
export function ZipContents({ file, onShown }: Props) {
  useEffect(() => onShown?.(false), [onShown])
  const { entries = 0, names = [], unpacked } = describeFileFields(file)
  const remaining = entries - names.length
  const dicom = describeDicom(file)
  return (
    <ScrollBox label="Conținutul arhivei" className="p-4 sm:p-6">
      {dicom.length > 0 && <DescriptionList items={dicom} className="mb-5" />}
      <p className="text-sm text-muted">
        {counted(entries, 'fișier', 'fișiere')}
        {unpacked === undefined ? null : `, ${formatBytes(unpacked)} după despachetare`}
      </p>
      <ul className="mt-3 divide-y divide-line">
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an archive may contain the same name twice
          <li key={index} className="flex items-start gap-2.5 py-2 text-sm">
            <Icon name="file" size={16} className="mt-0.5 text-muted" />
            <span className="min-w-0 break-words">{name}</span>
          </li>
        ))}
        {remaining > 0 && <li className="py-2 text-sm text-muted">+{remaining} altele</li>}
      </ul>
    </ScrollBox>
  )
}

/** Replaces the preview of a file that cannot be shown, with a download link. */
export function NoPreview({ file, onShown }: Props) {
  useEffect(() => onShown?.(false), [onShown])
  const dicom = describeDicom(file)
  return (
    <EmptyState
      icon={file.kind === 'dicom' ? 'layers' : 'file'}
      title={file.kind === 'dicom' ? 'Imagini DICOM' : 'Fără previzualizare'}
      action={<DownloadLink href={downloadAddress(file)}>Descarcă ({formatBytes(file.size)})</DownloadLink>}
    >
      {file.kind === 'pdf'
        ? 'Documentul este prea mare ca să fie afișat aici. După descărcare se poate deschide pe calculator.'
        : 'Acest tip de fișier nu se poate afișa aici. După descărcare se poate deschide pe calculator.'}
      {dicom.length > 0 && <DescriptionList items={dicom} className="mt-5 w-full text-start text-ink" />}
    </EmptyState>
  )
}

/** Replaces the preview of a file that the check has blocked, with the reason. */
export function BlockedFile({ reason, onShown }: { reason: string; onShown?: OnShown | undefined }) {
  useEffect(() => onShown?.(false), [onShown])
  return (
    <EmptyState icon="shield-alert" title="Fișierul a fost oprit">
      {reason}
    </EmptyState>
  )
}
